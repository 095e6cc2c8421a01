package threadgauge.load.agent

import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.netty.handler.codec.http2.DefaultHttp2Headers
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request

/** Long heads are read up to a limit, which the outcome names; a malformed answer on one stream fails at once. */
@Tag("ports")
class HeadsTest : EngineTest() {
    private val http2 = Connections(Protocol.HTTP_2)

    /** A policy of 12 kB, cookies of 90 kB in all, and one header close to the limit. */
    private val sizes = listOf(12_000, 90_000, 990_000)

    @Test
    fun `heads of HTTP1_1 up to the limit are read`() = sizes.forEach { size ->
        val result = ProgrammableServer { answer(headers = "X-Policy: ${"p".repeat(size)}\r\n") }
            .use { load(it, Load.Loops(2, 5)) }
        result.done.failures.shouldBeEmpty()
        result.done.answered shouldBe 10
    }

    @Test
    fun `heads of HTTP2 up to the limit are read`() = sizes.forEach { size ->
        val result = Http2Server { answer { add("x-policy", "p".repeat(size)) } }
            .use { server -> load(server.port, Load.Loops(2, 5)) { it.copy(connections = http2) } }
        result.done.failures.shouldBeEmpty()
        result.done.answered shouldBe 10
    }

    @Test
    fun `heads over the limit have an outcome of their own, and the limit can be set`() {
        val http1 = ProgrammableServer { answer(headers = "X-Policy: ${"p".repeat(9_000)}\r\n") }.use { server ->
            load(server, Load.Loops(2, 5)) { it.copy(connections = Connections(maxHeaderBytes = 8_000)) }
        }
        http1.done.failures shouldBe mapOf(Outcome.HEADERS_TOO_LONG to 10L)
        for (size in listOf(9_000, 40_000)) {
            val result = Http2Server { answer { add("x-policy", "p".repeat(size)) } }.use { server ->
                load(server.port, Load.Loops(2, 5)) { it.copy(connections = http2.copy(maxHeaderBytes = 8_000)) }
            }
            result.done.failures shouldBe mapOf(Outcome.HEADERS_TOO_LONG to 10L)
        }
    }

    @Test
    fun `interim answers of HTTP2 have fields of their own`() {
        val result = Http2Server {
            interim(DefaultHttp2Headers().status("103").add("link", "</a.css>").add("content-encoding", "gzip"))
            answer()
        }.use { server ->
            load(server.port, Load.Loops(1, 10)) {
                it.copy(connections = http2, request = it.request.copy(gzip = true))
            }
        }
        result.done.failures.shouldBeEmpty()
        result.done.statuses shouldBe mapOf(200 to 10L)
    }

    @Test
    fun `equal lengths, trailers, and answers without a body are well-formed`() {
        val equal = Http2Server { answer { add("content-length", "2").add("content-length", "2") } }
            .use { server -> load(server.port, Load.Loops(1, 5)) { it.copy(connections = http2) } }
        equal.done.failures.shouldBeEmpty()
        val trailers = Http2Server { answerWithTrailers() }
            .use { server -> load(server.port, Load.Loops(1, 5)) { it.copy(connections = http2) } }
        trailers.done.failures.shouldBeEmpty()
        for ((method, status) in listOf("HEAD" to "200", "GET" to "204", "GET" to "304")) {
            val none = Http2Server { headOnly(status) { add("content-length", "2") } }.use { server ->
                load(server.port, Load.Loops(1, 5)) {
                    val expect = Expectation(statuses = listOf(status.toInt()))
                    it.copy(connections = http2, request = Request(method, "/", expect = expect))
                }
            }
            none.done.failures.shouldBeEmpty()
        }
    }

    @Test
    fun `a malformed answer fails its stream at once, and the connection goes on`() {
        val malformed: List<Http2Server.Stream.() -> Unit> = listOf(
            { answer { add("content-length", "9") } },
            { answer { add("content-length", "1") } },
            { headOnly("200") { add("content-length", "9") } },
            { answer { add("content-length", "2, 3") } },
            { answer(status = "2x0") },
            { answer(status = "20") },
            { headOnly("103") {} },
            { answer { add("connection", "close") } },
            { answer { add("Upper-Case", "x") } },
        )
        val startNanos = System.nanoTime()
        malformed.forEachIndexed { index, wrong ->
            val result = Http2Server { number -> if (number % 2 == 0) wrong() else answer() }
                .use { server -> load(server.port, Load.Loops(1, 10)) { it.copy(connections = http2) } }
            withClue("answer number $index") {
                result.done.failures shouldBe mapOf(Outcome.STREAM_MALFORMED to 5L)
                result.done.answered shouldBe 5
                result.done.connectionsOpened shouldBe 1
            }
        }
        // None of the ninety requests waits for a timeout.
        System.nanoTime() - startNanos shouldBeLessThan 30 * SECOND
    }
}
