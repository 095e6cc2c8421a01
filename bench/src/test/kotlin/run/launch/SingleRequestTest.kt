package threadgauge.run.launch

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import kotlin.concurrent.thread
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Connections
import threadgauge.model.Expectation
import threadgauge.model.FirstAnswer
import threadgauge.model.Request
import threadgauge.target.Target
import threadgauge.target.Wrong

@Tag("ports")
class SingleRequestTest {
    @Test
    fun `what is expected is a correct answer, and nothing else`() {
        fun wrong(status: Int, expect: Expectation = Expectation()) = serving({ it.answer(status, "x") }) { port ->
            ask(Request(path = "/a", expect = expect), port)
        }
        wrong(200).shouldBeNull()
        wrong(204).shouldBeNull()
        wrong(404) shouldBe Wrong(
            "answered GET /a with status 404", isFinal = true, remedy = "Give a path that it serves with --path",
        )
        wrong(503) shouldBe Wrong("answered GET /a with status 503")
        wrong(302)!!.isFinal shouldBe true
        wrong(404, Expectation(statuses = listOf(404))).shouldBeNull()
        wrong(200, Expectation(statuses = listOf(201)))!!.words shouldContain "status 200"
    }

    @Test
    fun `method, headers, host and body are those of the request, with placeholders filled`() {
        var seen = ""
        val request = Request(
            "POST", "/orders/{seq}", mapOf("X-Mine" to "v{seq}", "Host" to "shop.test", "Connection" to "close"), body =
                "n={7..7}",
        )
        serving({
            seen = "${it.requestMethod} ${it.requestURI} ${it.requestHeaders.getFirst("X-Mine")} ${it.requestHeaders.getFirst("Host")} " +
                it.requestBody.readAllBytes().decodeToString()
            it.answer(201, "made")
        }) { port -> ask(request, port) }.shouldBeNull()
        seen shouldBe "POST /orders/0 v0 shop.test n=7"
    }

    @Test
    fun `the first answer is kept, and whether the next one was the same`() {
        fun first(answer: (HttpExchange) -> Unit) = serving(answer) { port ->
            SingleRequest(Request(path = "/"), Connections()).use { it.firstAnswer("127.0.0.1", port) }
        }
        first { it.responseHeaders.add("Content-Type", "text/plain"); it.answer(200, "abc") } shouldBe
            // SHA-256 of "abc", from FIPS 180-2, appendix B.1.
            FirstAnswer(
                200, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "text/plain", stable = true,
            )
        var count = 0
        first { it.answer(200, "${count++}") }.shouldNotBeNull().stable shouldBe false
    }

    @Test
    fun `nothing at a port, and something that is not HTTP, are told apart`() {
        ask(Request(path = "/"), Target.freePort())!!.words shouldBe "refused the connection"
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { socket ->
            val server = thread { socket.accept().use { it.outputStream.write("220 mail\r\n\r\n".toByteArray()) } }
            ask(Request(path = "/"), socket.localPort)!!.words shouldContain "something else than HTTP"
            server.join()
        }
    }

    @Test
    fun `a length that is no number is no answer, and no end of ours`() {
        ServerSocket(0, 5, InetAddress.getLoopbackAddress()).use { socket ->
            thread(isDaemon = true) {
                runCatching {
                    while (true) socket.accept().use {
                        it.outputStream.write("HTTP/1.1 304 Not Modified\r\nContent-Length: 5, 6\r\n\r\n".toByteArray())
                        it.shutdownOutput()
                        it.inputStream.readAllBytes()
                    }
                }
            }
            ask(Request(path = "/"), socket.localPort)!!.words shouldContain "something else than HTTP"
            SingleRequest(Request(path = "/"), Connections()).use { it.firstAnswer("127.0.0.1", socket.localPort) }
                .shouldBeNull()
        }
    }

    private fun ask(request: Request, port: Int) =
        SingleRequest(request, Connections()).use { it.ask("127.0.0.1", port) }

    private fun HttpExchange.answer(status: Int, body: String) {
        sendResponseHeaders(status, if (status == 204) -1 else body.length.toLong())
        if (status != 204) responseBody.write(body.toByteArray())
        close()
    }

    private fun <T> serving(answer: (HttpExchange) -> Unit, block: (port: Int) -> T): T {
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
        server.createContext("/", answer)
        server.start()
        try {
            return block(server.address.port)
        } finally {
            server.stop(0)
        }
    }
}
