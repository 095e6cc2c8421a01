package threadgauge.load.agent

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.ints.shouldBeBetween
import io.kotest.matchers.longs.shouldBeBetween
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.concurrent.Semaphore
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Request

/** Known results: the engine must report what our own server does to requests. */
@Tag("ports")
class LoadJobTest : EngineTest() {
    @Test
    fun `a fixed delay is the median latency, and users divided by it the throughput`() {
        val result = ProgrammableServer { Thread.sleep(50); answer() }.use { load(it, Load.Users(20, SECOND)) }
        result.done.failures.shouldBeEmpty()
        result.latency.p50Micros.shouldBeBetween(50_000.0, 58_000.0, 0.0)
        result.done.answeredInWindow.shouldBeBetween(330, 400)
        // Little's law: rate × mean latency is the number of users.
        (result.done.sent * result.latency.meanMicros / 1e6).shouldBeBetween(18.0, 21.0, 0.0)
    }

    @Test
    fun `users with loops send exactly their product`() {
        val result = ProgrammableServer { answer() }.use { load(it, Load.Loops(7, 11)) }
        result.done.scheduled shouldBe 77
        result.done.answered shouldBe 77
        result.done.connectionsOpened shouldBe 7
    }

    @Test
    fun `a constant rate sends all its requests, each second its share`() {
        val result = ProgrammableServer { answer() }.use { load(it, Load.Rate(200.0, 2 * SECOND)) }
        result.done.sent shouldBe 400
        result.seconds.take(2).forEach { it.sent.shouldBeBetween(196, 204) }
    }

    @Test
    fun `a ramp sends as many requests as the area under it`() {
        val result = ProgrammableServer { answer() }.use { load(it, Load.Ramp(10.0, 210.0, 2 * SECOND)) }
        result.done.sent shouldBe 220
        result.seconds[0].sent.shouldBeBetween(58, 62)
        result.seconds[1].sent.shouldBeBetween(158, 162)
    }

    @Test
    fun `all requests of a burst are under way at once`() {
        val together = Semaphore(0)
        // No request is answered before a hundred are there: with fewer at a time this would never end.
        val result = ProgrammableServer { number ->
            if (number == 99) together.release(100)
            together.acquire()
            answer()
        }.use { load(it, Load.Burst(100)) }
        result.done.answered shouldBe 100
        result.done.connectionsOpened shouldBe 100
    }

    @Test
    fun `requests that wait for a connection keep their intended time, and all are counted`() {
        // 20 connections of 100 ms each serve 200/s; 1,000/s are offered for 2 s, so about 1,600 are left over.
        val result = ProgrammableServer { Thread.sleep(100); answer() }.use {
            load(it, Load.Rate(1_000.0, 2 * SECOND)) { order ->
                order.copy(connections = Connections(maxUnderWay = 20))
            }
        }
        val done = result.done
        done.scheduled shouldBe 2_000
        done.scheduled shouldBe done.sent + done.unsent
        done.unsent.shouldBeBetween(1_560, 1_680)
        result.latency.count shouldBe 2_000
        // The k-th answer comes at k / 200 s and was meant for k / 1,000 s. The last round is answered between 2.0 and
        // 2.1 s, depending on when the first could begin; number 400 was meant for 0.4 s, so the longest is 1.6 to 1.7
        // s. Ages are spread evenly from there down to 0.0 or 0.1 s, so the median is 0.83 to 0.89 s.
        result.latency.maxMicros.shouldBeBetween(1.52e6, 1.8e6, 0.0)
        result.latency.p50Micros.shouldBeBetween(0.78e6, 0.97e6, 0.0)
    }

    @Test
    fun `a server that freezes shows in every request that was due meanwhile`() {
        val frozen = System.nanoTime() + 700 * MILLI
        val result = ProgrammableServer {
            val wait = frozen + 600 * MILLI - System.nanoTime()
            if (System.nanoTime() > frozen && wait > 0) Thread.sleep(wait / MILLI)
            answer()
        }.use { load(it, Load.Rate(200.0, 2 * SECOND)) }
        result.latency.maxMicros.shouldBeBetween(550_000.0, 680_000.0, 0.0)
        // 600 of 2,000 ms were frozen: 30 % of the requests waited, evenly between 0 and 600 ms, so p85 is 300 ms.
        result.histogramMillis(85.0).shouldBeBetween(220.0, 380.0, 0.0)
        result.done.failures.shouldBeEmpty()
    }

    @Test
    fun `each kind of failure has its own count`() {
        val result = ProgrammableServer { number ->
            when (number % 10) {
                0 -> answer(status = "503 Service Unavailable")
                1 -> answer(status = "404 Not Found")
                2 -> answer(body = "wrong")
                3 -> reset()
                4 -> raw("this is not HTTP\r\n")
                5 -> answer(status = "302 Found", headers = "Location: /\r\n")
                else -> answer()
            }
        }.use { load(it, Load.Loops(1, 100)) }
        result.done.failures shouldBe mapOf(
            Outcome.SERVER_ERROR to 10L,
            Outcome.CLIENT_ERROR to 10L,
            Outcome.WRONG_BODY to 10L,
            Outcome.KEPT_CONNECTION_CLOSED to 10L,
            Outcome.MALFORMED to 10L,
            Outcome.UNEXPECTED_STATUS to 10L,
        )
        result.done.answered shouldBe 40
        result.done.sent shouldBe 100
    }

    @Test
    fun `a closed port refuses connections, and users back off`() {
        val port = ProgrammableServer { answer() }.use { it.port }
        val result = load(port, Load.Users(2, 300 * MILLI))
        result.done.failures.keys shouldBe setOf(Outcome.REFUSED)
        result.done.answered shouldBe 0
        result.done.sent.shouldBeBetween(10, 70)
    }

    @Test
    fun `requests to a server that never answers are unfinished, with their age`() {
        val result = ProgrammableServer { Thread.sleep(60_000) }.use {
            load(it, Load.Users(3, 200 * MILLI)) { order -> order.copy(drainNanos = 300 * MILLI) }
        }
        result.done.unfinished shouldBe 3
        result.done.answered shouldBe 0
        result.latency.count shouldBe 3
        // 500 ms, less the time that a busy machine needed to begin.
        result.latency.minMicros.shouldBeBetween(350_000.0, 600_000.0, 0.0)
    }

    @Test
    fun `an answer that takes too long is a timeout, and the user goes on`() {
        val result = ProgrammableServer { number -> if (number == 0) Thread.sleep(60_000) else answer() }.use {
            load(it, Load.Users(1, 600 * MILLI)) { order -> order.copy(responseTimeoutNanos = 100 * MILLI) }
        }
        result.done.failures shouldBe mapOf(Outcome.RESPONSE_TIMEOUT to 1L)
        result.done.answered shouldBeGreaterThan 10
    }

    @Test
    fun `a server that closes after every answer costs connections, not failures`() {
        ProgrammableServer { answer(headers = "Connection: close\r\n"); closeConnection() }.use {
            val result = load(it, Load.Loops(3, 20))
            result.done.answered shouldBe 60
            result.done.failures.shouldBeEmpty()
            result.done.connectionsOpened shouldBe 60
        }
    }

    @Test
    fun `after the server has closed an idle connection a new one is opened`() {
        val result = ProgrammableServer { answer(); closeConnection() }.use { load(it, Load.Rate(50.0, SECOND)) }
        result.done.answered.shouldBeBetween(48, 50)
    }

    @Test
    fun `answers in slow pieces are complete answers`() {
        val result = ProgrammableServer {
            val pieces = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n".chunked(5)
            pieces.forEach { raw(it).also { Thread.sleep(1) } }
        }.use { load(it, Load.Loops(2, 5)) }
        result.done.answered shouldBe 10
        result.done.failures.shouldBeEmpty()
    }

    @Test
    fun `an answer to HEAD has a length and no body`() {
        val result = ProgrammableServer { raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n") }.use {
            load(it, Load.Loops(2, 10)) { order -> order.copy(request = Request("HEAD", "/")) }
        }
        result.done.answered shouldBe 20
    }

    @Test
    fun `two event loops share a load without loss`() {
        val result = ProgrammableServer { answer() }.use { load(it, Load.Rate(301.0, SECOND), loops = 2) }
        result.done.sent shouldBe 301
        result.done.health.eventLoops shouldBe 2
        result.seconds.sumOf { it.sent } shouldBe 301
    }

    @Test
    fun `slices of one load, carried out one by one, add up to it`() {
        ProgrammableServer { answer() }.use { server ->
            val parts =
                (0..2).map { slice -> load(server, Load.Rate(100.0, SECOND)) { it.copy(slice = slice, slices = 3) } }
            parts.sumOf { it.done.sent } shouldBe 100
            parts.map { it.done.sent } shouldBe listOf(34L, 33L, 33L)
            val users = (0..2).map { slice -> load(server, Load.Loops(10, 2)) { it.copy(slice = slice, slices = 3) } }
            users.sumOf { it.done.sent } shouldBe 20
        }
    }

    @Test
    fun `seconds are reported while the load runs, each once`() {
        val result = ProgrammableServer { answer() }.use { load(it, Load.Rate(20.0, 3 * SECOND)) }
        val seconds = result.messages.filterIsInstance<AgentMessage.Second>()
        seconds.map { it.second }.distinct() shouldHaveSize seconds.size
        val lastPulse = result.messages.indexOfLast { it is AgentMessage.Pulse }
        result.messages.indexOfFirst { it is AgentMessage.Second }.shouldBeBetween(1, lastPulse)
    }
}
