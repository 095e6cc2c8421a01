package threadgauge.load.agent

import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.netty.handler.codec.http2.Http2Error
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Protocol

/** Requests that the server did not process are counted apart from failed ones, and repeated if configured. */
@Tag("ports")
class UnprocessedTest : EngineTest() {
    private val http2 = Connections(Protocol.HTTP_2)
    private val repeating = http2.copy(repeatUnprocessed = true)

    @Test
    fun `a refused stream was not processed, and another one was reset`() {
        val result = Http2Server { number ->
            when (number % 10) {
                0 -> reset(Http2Error.REFUSED_STREAM)
                1 -> reset(Http2Error.INTERNAL_ERROR)
                else -> answer()
            }
        }.use { server -> load(server.port, Load.Loops(1, 100)) { it.copy(connections = http2) } }
        result.done.failures shouldBe mapOf(Outcome.UNPROCESSED to 10L, Outcome.STREAM_RESET to 10L)
        result.done.answered shouldBe 80
        result.done.repeated shouldBe 0
        result.done.connectionsOpened shouldBe 1
    }

    @Test
    fun `with repetition no refused stream fails, and each request counts once`() {
        Http2Server { number -> if (number % 2 == 0) reset(Http2Error.REFUSED_STREAM) else answer() }.use { server ->
            val result = load(server.port, Load.Loops(1, 50)) { it.copy(connections = repeating) }
            result.done.failures.shouldBeEmpty()
            result.done.answered shouldBe 50
            result.done.sent shouldBe 50
            result.done.scheduled shouldBe 50
            result.done.repeated shouldBe 50
            server.requests.get() shouldBe 100
        }
    }

    @Test
    fun `a request is repeated at most once`() {
        Http2Server { reset(Http2Error.REFUSED_STREAM) }.use { server ->
            val result = load(server.port, Load.Loops(1, 5)) { it.copy(connections = repeating) }
            result.done.failures shouldBe mapOf(Outcome.UNPROCESSED to 5L)
            result.done.repeated shouldBe 5
            server.requests.get() shouldBe 10
        }
    }

    @Test
    fun `the latency of a repeated request runs from its first sending`() {
        val result = Http2Server { number ->
            if (number % 2 == 0) later(40) { reset(Http2Error.REFUSED_STREAM) } else later(40) { answer() }
        }.use { server ->
            load(server.port, Load.Loops(1, 5)) { it.copy(connections = repeating) }
        }
        result.done.answered shouldBe 5
        result.latency.minMicros.toLong() shouldBeGreaterThan 79_000
        summary(decode(result.done.serviceTime)).minMicros.toLong() shouldBeGreaterThan 79_000
    }

    @Test
    fun `after GOAWAY, waiting streams beyond the last stream id were not processed`() {
        // Three requests are on the connection when the server announces that it saw only the first.
        fun result(connections: Connections): Pair<EngineTest.Result, Int> {
            val waiting = ArrayList<Http2Server.Stream>()
            return Http2Server { number ->
                if (number >= 3) return@Http2Server answer()
                waiting += this
                if (waiting.size == 3) {
                    waiting.first().goAwayAfterThis()
                    waiting.first().answer()
                }
            }.use { server ->
                load(server.port, Load.Loops(3, 2)) { it.copy(connections = connections) } to server.connections.get()
            }
        }
        val (told, _) = result(http2.copy(streams = 3))
        told.done.failures shouldBe mapOf(Outcome.UNPROCESSED to 2L)
        told.done.answered shouldBe 4
        val (repeated, connections) = result(repeating.copy(streams = 3))
        repeated.done.failures.shouldBeEmpty()
        repeated.done.answered shouldBe 6
        repeated.done.repeated shouldBe 2
        connections shouldBe 2
    }

    @Test
    fun `a kept connection that closes before the answer is counted apart, and repeated if idempotent`() {
        // Each connection answers once and closes when the next request comes.
        fun result(method: String, repeats: Boolean): AgentMessage.Done {
            val served = java.util.concurrent.ConcurrentHashMap.newKeySet<Any>()
            return ProgrammableServer { if (served.add(connection)) answer() else closeConnection() }.use { server ->
                load(server, Load.Loops(1, 10)) {
                    val request = it.request.copy(method = method, body = "x".takeIf { method == "POST" })
                    it.copy(request = request, connections = Connections(repeatUnprocessed = repeats))
                }
            }.done
        }
        result("GET", repeats = false).failures shouldBe mapOf(Outcome.KEPT_CONNECTION_CLOSED to 5L)
        val repeated = result("GET", repeats = true)
        repeated.failures.shouldBeEmpty()
        repeated.answered shouldBe 10
        repeated.repeated shouldBe 9
        result("POST", repeats = true).failures shouldBe mapOf(Outcome.KEPT_CONNECTION_CLOSED to 5L)
    }

    @Test
    fun `a fresh connection that closes, or one that closes within an answer, is a failure`() {
        val fresh = ProgrammableServer { closeConnection() }.use { server ->
            load(server, Load.Loops(1, 3)) { it.copy(connections = Connections(repeatUnprocessed = true)) }
        }
        fresh.done.failures shouldBe mapOf(Outcome.RESET to 3L)
        val count = AtomicInteger()
        val within = ProgrammableServer {
            if (count.incrementAndGet() % 2 == 1) answer() else raw("H").also { closeConnection() }
        }.use { server ->
            load(server, Load.Loops(1, 6)) { it.copy(connections = Connections(repeatUnprocessed = true)) }
        }
        within.done.failures shouldBe mapOf(Outcome.RESET to 3L)
    }
}
