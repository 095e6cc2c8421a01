package threadgauge.load.agent

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.util.zip.GZIPOutputStream
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.failure.AnswerFault
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.run.launch.SingleRequest

/** Bodies in a coding that was not requested, which a server may send to a request without Accept-Encoding. */
@Tag("ports")
class CodedAnswersTest : EngineTest() {
    private val text = """{"state": "granted"}"""
    private val gzipped =
        ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(text.toByteArray()) } }.toByteArray()
    private val checks = listOf(
        Request(path = "/", expect = Expectation(body = text)),
        Request(path = "/", expect = Expectation(contains = "granted")),
        Request(path = "/", expect = Expectation(json = mapOf("state" to "granted"))),
        Request(path = "/", count = "state"),
    )

    @Test
    fun `a check that cannot read the body reports that, over HTTP 1 and HTTP 2`() {
        val codings = listOf("gzip", "GZIP", "x-gzip", "br", "deflate", "zstd", "identity, br")
        for (coding in codings) for (check in checks) {
            withClue("$coding, $check") {
                outcomes(check, coding, gzipped) shouldBe mapOf(Outcome.CODED_BODY to 4L)
                if ("gzip" !in coding.lowercase()) {
                    outcomes(check.copy(gzip = true), coding, gzipped) shouldBe mapOf(Outcome.CODED_BODY to 4L)
                }
            }
        }
    }

    @Test
    fun `requested gzip is decompressed, and without a check any coding is accepted`() {
        for (check in checks) withClue("$check") {
            outcomes(check.copy(gzip = true), "gzip", gzipped) shouldBe emptyMap()
        }
        for (coding in listOf("gzip", "br")) outcomes(Request(path = "/"), coding, gzipped) shouldBe emptyMap()
    }

    @Test
    fun `a plain body is checked as it is, even if its head names an unknown coding`() {
        for (coding in listOf("identity", "UTF-8", "none")) for (check in checks) withClue("$coding, $check") {
            outcomes(check, coding, text.toByteArray()) shouldBe emptyMap()
        }
        outcomes(checks.first(), "UTF-8", "other".toByteArray()) shouldBe mapOf(Outcome.WRONG_BODY to 4L)
    }

    @Test
    fun `a service that compresses without being asked is reported before any load`() {
        ProgrammableServer { raw(answer("br", gzipped)) }.use { server ->
            SingleRequest(checks[2], Connections()).use { it.ask("127.0.0.1", server.port) }
        } shouldBe AnswerFault.CodedBody("GET /", gzipped.size.toLong())
    }

    private fun outcomes(request: Request, coding: String, body: ByteArray): Map<Outcome, Long> {
        val first = ProgrammableServer { raw(answer(coding, body)) }.use { server ->
            load(server, Load.Loops(1, 4)) { it.copy(request = request) }
        }.done.failures
        val second = Http2Server { answerWith(coding, body) }.use { server ->
            load(server.port, Load.Loops(1, 4)) {
                it.copy(request = request, connections = Connections(Protocol.HTTP_2))
            }
        }.done.failures
        second shouldBe first
        return first
    }

    private fun answer(coding: String, body: ByteArray) =
        "HTTP/1.1 200 OK\r\nContent-Encoding: $coding\r\nContent-Length: ${body.size}\r\n\r\n".toByteArray() + body
}
