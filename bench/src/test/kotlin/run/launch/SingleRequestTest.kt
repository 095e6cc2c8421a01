package threadgauge.run.launch

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import kotlin.concurrent.thread
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.load.agent.Http2Server
import threadgauge.load.agent.ProgrammableServer
import threadgauge.model.FirstAnswer
import threadgauge.model.failure.AnswerFault
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request
import threadgauge.target.Endpoint
import threadgauge.target.Target

@Tag("ports")
class SingleRequestTest {
    @Test
    fun `only the expected answer is correct`() {
        fun wrong(status: Int, expect: Expectation = Expectation()) = serving({ it.answer(status, "x") }) { port ->
            ask(Request(path = "/a", expect = expect), port)
        }
        wrong(200).shouldBeNull()
        wrong(204).shouldBeNull()
        wrong(404) shouldBe AnswerFault.Status("GET /a", 404)
        wrong(503) shouldBe AnswerFault.Status("GET /a", 503)
        wrong(404, Expectation(statuses = listOf(404))).shouldBeNull()
        wrong(200, Expectation(statuses = listOf(201))) shouldBe AnswerFault.Status("GET /a", 200)
    }

    @Test
    fun `method, headers, host and body are those of the request, with placeholders filled`() {
        var seen = ""
        val request = Request(
            "POST", "/orders/{seq}", mapOf("X-Mine" to "v{seq}", "Host" to "shop.test", "Connection" to "close"),
            body = "n={7..7}",
        )
        serving({
            val headers = listOf("X-Mine", "Host").joinToString(" ") { name -> it.requestHeaders.getFirst(name) }
            val body = it.requestBody.readAllBytes().decodeToString()
            seen = "${it.requestMethod} ${it.requestURI} $headers $body"
            it.answer(201, "made")
        }) { port -> ask(request, port) }.shouldBeNull()
        seen shouldBe "POST /orders/0 v0 shop.test n=7"
    }

    @Test
    fun `the first answer is kept, and whether the second one was equal`() {
        fun first(answer: (HttpExchange) -> Unit) = serving(answer) { port ->
            SingleRequest(Request(path = "/"), Connections()).use { it.firstAnswer(Endpoint("127.0.0.1", port)) }
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
    fun `a closed port and a server that is not HTTP have different faults`() {
        ask(Request(path = "/"), Target.freePort()) shouldBe AnswerFault.Refused
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { socket ->
            val server = thread { socket.accept().use { it.outputStream.write("220 mail\r\n\r\n".toByteArray()) } }
            ask(Request(path = "/"), socket.localPort).shouldBeInstanceOf<AnswerFault.NotHttp>()
            server.join()
        }
    }

    @Test
    fun `legal lengths are read, and others are rejected`() {
        answering("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello") {
            ask(Request(path = "/"), it).shouldBeNull()
        }
        for (length in listOf("abc", "5, 6", "-1", "")) {
            answering("HTTP/1.1 200 OK\r\nContent-Length: $length\r\n\r\nhello") {
                ask(Request(path = "/"), it) shouldBe AnswerFault.NotHttp("GET /")
            }
        }
    }

    @Test
    fun `an endless or incomplete body is reported after the timeout`() {
        fun fault(head: String) = answering("HTTP/1.1 200 OK\r\n$head\r\nhello", closes = false) { port ->
            SingleRequest(Request(path = "/"), Connections(), patienceNanos = 300_000_000)
                .use { it.ask("127.0.0.1", port) }
        }
        fault("Content-Type: text/event-stream\r\n") shouldBe AnswerFault.Endless("GET /", 5, null, 0)
        fault("Content-Length: 50\r\n") shouldBe AnswerFault.Endless("GET /", 5, 50, 0)
        answering("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello") { port ->
            ask(Request(path = "/"), port) shouldBe AnswerFault.Closed("GET /", 5, began = true)
        }
    }

    @Test
    fun `a server that speaks HTTP2 by prior knowledge alone is understood`() {
        Http2Server { answer() }.use { server ->
            val connections = Connections(protocol = Protocol.HTTP_2)
            SingleRequest(Request(path = "/"), connections).use { it.ask("127.0.0.1", server.port) }.shouldBeNull()
        }
    }

    /** A server that reads one head and sends [bytes], then closes where it [closes]. */
    private fun <T> answering(bytes: String, closes: Boolean = true, block: (port: Int) -> T): T =
        ProgrammableServer {
            raw(bytes)
            if (closes) closeConnection()
        }.use { block(it.port) }

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
