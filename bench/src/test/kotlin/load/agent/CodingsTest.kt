package threadgauge.load.agent

import io.kotest.assertions.withClue
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.io.ByteArrayOutputStream
import java.util.zip.GZIPOutputStream
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Expectation
import threadgauge.model.request.Request

/** Compressed answers, and those that are only declared so. */
@Tag("ports")
class CodingsTest : EngineTest() {
    @Test
    fun `gzip is read under both names, in several members, and as a transfer coding`() {
        val members = gzip("o") + gzip("k")
        for ((coding, body) in listOf("gzip" to gzip("ok"), "x-gzip" to gzip("ok"), "GZIP" to members)) {
            withClue(coding) { failures { answer("Content-Encoding: $coding\r\n", body) }.shouldBeEmpty() }
        }
        val chunk = gzip("ok")
        failures {
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${chunk.size.toString(16)}\r\n")
            raw(chunk + "\r\n0\r\n\r\n".toByteArray())
        }.shouldBeEmpty()
    }

    @Test
    fun `incomplete gzip is malformed`() {
        for (body in listOf(gzip("ok").dropLast(1).toByteArray(), gzip("ok") + 1, "ok".toByteArray())) {
            failures { answer("Content-Encoding: gzip\r\n", body) } shouldBe mapOf(Outcome.MALFORMED to 4L)
        }
    }

    @Test
    fun `an empty body is not decompressed, whatever its coding`() {
        val nothing = Request(path = "/", gzip = true)
        failures(nothing) { answer("Content-Encoding: gzip\r\n", ByteArray(0)) }.shouldBeEmpty()
        failures(nothing) { raw("HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n") }.shouldBeEmpty()
        failures(nothing.copy(method = "HEAD")) {
            raw("HTTP/1.1 200 OK\r\nContent-Length: 22\r\nContent-Encoding: gzip\r\n\r\n")
        }.shouldBeEmpty()
    }

    @Test
    fun `an unrequested 101 is an unexpected status, whatever bytes follow it`() {
        failures { raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nno HTTP any more") } shouldBe
            mapOf(Outcome.UNEXPECTED_STATUS to 4L)
    }

    @Test
    fun `a server of another protocol that greets and waits fails at once`() {
        failures { raw("220 mail.example ESMTP") } shouldBe mapOf(Outcome.MALFORMED to 4L)
    }

    private fun failures(
        request: Request = Request(path = "/", gzip = true, expect = Expectation(body = "ok")),
        serve: ProgrammableServer.Exchange.() -> Unit,
    ): Map<Outcome, Long> =
        ProgrammableServer { serve() }.use { server -> load(server, Load.Loops(1, 4)) { it.copy(request = request) } }
            .done.failures

    private fun ProgrammableServer.Exchange.answer(headers: String, body: ByteArray) =
        raw("HTTP/1.1 200 OK\r\nContent-Length: ${body.size}\r\n$headers\r\n".toByteArray() + body)

    private fun gzip(text: String): ByteArray =
        ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(text.toByteArray()) } }.toByteArray()
}
