package threadgauge.run.launch

import java.security.MessageDigest
import java.security.cert.CertificateException
import java.util.HexFormat
import java.util.concurrent.atomic.AtomicLong
import threadgauge.load.agent.Address
import threadgauge.load.agent.Exchange
import threadgauge.load.agent.SingleExchange
import threadgauge.model.FirstAnswer
import threadgauge.model.Outcome
import threadgauge.model.failure.AnswerFault
import threadgauge.model.request.Connections
import threadgauge.model.request.Request
import threadgauge.target.Endpoint

/**
 * Sends [request] outside any load, with the load agent's own client: to find out whether a service is ready, and what
 * it answers. Safe for any thread; every call returns within [patienceNanos], or throws if the client hangs.
 */
internal class SingleRequest(
    private val request: Request,
    private val connections: Connections,
    private val patienceNanos: Long = PATIENCE_NANOS,
) : AutoCloseable {
    private val patienceSeconds = patienceNanos / 1_000_000_000
    private val exchange = SingleExchange(request, connections)
    private val number = AtomicLong()

    /**
     * What is wrong with the answer of the server at [host] and [port]; null for a correct one. [address] is the IP
     * address to use, if [host] is a name.
     */
    fun ask(host: String, port: Int, address: String? = null): AnswerFault? = faultOf(send(host, port, address))

    /**
     * A correct answer as it is now, from two requests that show whether it is always the same; null if one of them
     * failed.
     */
    fun firstAnswer(at: Endpoint): FirstAnswer? {
        val (first, second) = List(2) { send(at.host, at.port, at.address) }
        if (first.outcome != null || second.outcome != null || first.status == null) return null
        val isStable = request.stream == null && first.bytes == second.bytes && first.body.contentEquals(second.body)
        return FirstAnswer(first.status, first.bytes, sha256(first.body), first.contentType, isStable, first.tls)
    }

    override fun close() = exchange.close()

    private fun send(host: String, port: Int, address: String?) =
        exchange.send(Address(host, port, address), number.getAndIncrement(), patienceNanos)

    private fun faultOf(answer: Exchange): AnswerFault? {
        val line = "${request.method} ${request.path}"
        val status = answer.status
        return when (answer.outcome) {
            null -> null
            Outcome.REFUSED -> AnswerFault.Refused
            Outcome.CONNECT_TIMEOUT -> AnswerFault.None(line, patienceSeconds)
            Outcome.RESPONSE_TIMEOUT -> when (status) {
                null -> AnswerFault.None(line, patienceSeconds)
                else -> AnswerFault.Endless(line, answer.bytes, answer.length, patienceSeconds)
            }
            Outcome.TLS_FAILED -> tlsFault(answer.tlsFailure)
            Outcome.HEADERS_TOO_LONG -> AnswerFault.HeadersTooLong(line, connections.maxHeaderBytes)
            Outcome.CLIENT_ERROR, Outcome.SERVER_ERROR, Outcome.UNEXPECTED_STATUS ->
                AnswerFault.Status(line, status ?: 0)
            Outcome.WRONG_BODY, Outcome.NOTHING_TO_KEEP -> AnswerFault.OtherBody(line, answer.bytes)
            Outcome.WRONG_MESSAGES ->
                AnswerFault.OtherMessages(line, answer.messages ?: 0, request.expect.messages ?: 0)
            Outcome.CODED_BODY -> AnswerFault.CodedBody(line, answer.bytes)
            Outcome.MALFORMED, Outcome.STREAM_MALFORMED -> AnswerFault.NotHttp(line)
            Outcome.RESET, Outcome.KEPT_CONNECTION_CLOSED, Outcome.UNPROCESSED, Outcome.STREAM_RESET,
            Outcome.LOCAL_LIMIT,
            -> AnswerFault.Closed(line, answer.bytes, status != null)
        }
    }

    private fun tlsFault(cause: Throwable?): AnswerFault {
        val causes = generateSequence(cause) { it.cause }.take(MAX_CAUSES).toList()
        val isCertificate =
            causes.any { it is CertificateException || "certificat" in it.message.orEmpty().lowercase() }
        return if (isCertificate) AnswerFault.Certificate else AnswerFault.Tls(causes.lastOrNull()?.message)
    }

    private companion object {
        const val PATIENCE_NANOS = 10_000_000_000L
        const val MAX_CAUSES = 10
    }
}

private fun sha256(bytes: ByteArray) = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
