package threadgauge.load.http

import io.netty.channel.EventLoop
import io.netty.channel.socket.SocketChannel
import io.netty.handler.ssl.SslContext
import java.net.InetSocketAddress
import threadgauge.load.http.http1.Http1Request
import threadgauge.load.http.http1.Http1Slot
import threadgauge.load.http.http1.authority
import threadgauge.load.http.http1.header
import threadgauge.load.http.http2.Http2Slot
import threadgauge.load.http.http2.ReconnectingHttp2
import threadgauge.model.request.Connections
import threadgauge.model.request.Login
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Tls
import threadgauge.model.request.TlsSession

/**
 * Makes the slots of one event loop, through which requests like [request] go to the targets in turn.
 *
 * Belongs to that loop; closed when no request is under way. A login needs HTTP/1.1: throws `IllegalArgumentException`
 * for one on HTTP/2.
 */
class Client(
    loop: EventLoop,
    channelType: Class<out SocketChannel>,
    targets: List<InetSocketAddress>,
    private val request: Request,
    private val connections: Connections,
    encryption: Encryption?,
    seed: Long,
    connectTimeoutMillis: Int,
    private val listener: Slot.Listener,
    observer: ((Slot) -> Unit)? = null,
    /** What users do instead of [request]; empty: they repeat it. */
    scenarios: List<Scenario> = emptyList(),
) : AutoCloseable {
    init {
        require(connections.cookies?.login == null || connections.protocol == Protocol.HTTP_1_1) {
            "users log in on HTTP/1.1 alone"
        }
    }

    /** The TLS parameters that connections agreed on, without duplicates. */
    val tls: Set<TlsSession> get() = dialer.agreements

    /** Why the last failed handshake failed; null if none has. */
    val tlsFailure: Throwable? get() = dialer.tlsFailure

    private val scratch = ByteArray(SCRATCH_BYTES)
    private val dialer = Dialer(loop, channelType, targets, connections, encryption?.context, connectTimeoutMillis)
    private val scheme = if (encryption == null) "http" else "https"
    private val hosts = targets.map { it.hostString }
    private val authorities = targets.map { authority(it.hostString, it.port) }
    private val places = Question.Places(authorities, scheme, connections.perRequest, seed)

    /** By scenario and step; of a load without scenarios the only one of its only list. */
    internal val questions: List<List<Question>> =
        if (scenarios.isEmpty()) listOf(listOf(Question(0, request, places, observer = observer)))
        else questionsOf(scenarios)

    /** Values that a pass keeps at most; -1 without scenarios. */
    private val mostKept = scenarios.maxOfOrNull { it.kept.size } ?: -1

    /** Checks answers, and counts what correct ones contain. */
    val answers: List<AnswerCheck> get() = questions.flatten().map { it.answers }

    private val logins = authorities.map { place ->
        lazy { connections.cookies?.login?.let { Http1Request(asRequest(it), place, closes = false, seed) } }
    }

    /** A `Cookie` header of the request itself takes precedence. */
    private val keepsCookies = connections.cookies != null && request.header("Cookie") == null
    private val links = arrayOfNulls<ReconnectingHttp2>(targets.size)
    private val membersOfLink = IntArray(targets.size)

    /** A slot to target number [target]. On HTTP/2 it shares a connection with other slots to the same target. */
    fun newSlot(target: Int): Slot {
        val slot = when (connections.protocol) {
            Protocol.HTTP_1_1 -> http1Slot(target)
            Protocol.HTTP_2 ->
                Http2Slot(target, link(target), questions.first().first(), scratch, jar(target), listener)
        }
        if (mostKept >= 0) slot.course = Course(mostKept)
        return slot
    }

    private fun questionsOf(scenarios: List<Scenario>): List<List<Question>> {
        var next = 0
        return scenarios.map { scenario ->
            val indices = scenario.kept.withIndex().associate { (index, name) -> name to index }
            scenario.steps.map { Question(next++, it.request, places, Question.Keep(it, indices)) }
        }
    }

    private fun http1Slot(target: Int): Slot {
        val login = if (keepsCookies) logins[target].value else null
        return Http1Slot(
            target, dialer, questions.first().first(), scratch, jar(target), login, connections.maxHeaderBytes,
            listener,
        )
    }

    private fun jar(target: Int): CookieJar? = if (keepsCookies) CookieJar(hosts[target]) else null

    /** The login as a request, with the headers that other requests authenticate with. */
    private fun asRequest(login: Login) =
        Request("POST", login.path, request.headers + ("Content-Type" to FORM), login.form)

    private fun link(target: Int): ReconnectingHttp2 {
        val last = links[target]
        if (last != null && membersOfLink[target]++ < connections.streams) return last
        membersOfLink[target] = 1
        return ReconnectingHttp2(target, dialer, connections.maxHeaderBytes)
            .also { links[target] = it }
    }

    override fun close() {
        questions.forEach { steps -> steps.forEach { it.close() } }
        logins.forEach { if (it.isInitialized()) it.value?.close() }
    }

    /** TLS settings, shared by all event loops. */
    class Encryption(tls: Tls, protocol: Protocol) {
        internal val context: SslContext = tlsClient(tls, protocol)
    }
}

private const val FORM = "application/x-www-form-urlencoded"
private const val SCRATCH_BYTES = 64 * 1024
