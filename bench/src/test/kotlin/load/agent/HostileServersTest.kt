package threadgauge.load.agent

import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.net.InetAddress
import java.net.ServerSocket
import kotlin.concurrent.thread
import kotlin.math.sqrt
import kotlin.random.Random
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome
import threadgauge.model.request.Connections
import threadgauge.model.request.Expectation
import threadgauge.model.request.Protocol
import threadgauge.model.request.Request

/** Whatever a server does, each request ends with exactly one outcome, in time, and the engine's heap does not grow. */
@Tag("ports")
class HostileServersTest : EngineTest() {
    @Test
    fun `one slow answer in a hundred is found as one in a hundred`() {
        val random = Random(1)
        var errors = 0L
        var wrong = 0L
        val result = ProgrammableServer {
            when (synchronized(random) { random.nextInt(100) }) {
                0 -> answer(status = "500 Oops").also { synchronized(random) { errors++ } }
                1 -> answer(body = "ko").also { synchronized(random) { wrong++ } }
                else -> answer()
            }
        }.use { load(it, Load.Loops(10, 500)) }
        result.done.failures shouldBe mapOf(Outcome.SERVER_ERROR to errors, Outcome.WRONG_BODY to wrong)
        // 5,000 draws of one in a hundred: 50, give or take four times the root of n p (1 - p).
        val spread = (4 * sqrt(5_000 * 0.01 * 0.99)).toLong()
        errors.shouldBeInRange(50 - spread..50 + spread)
        wrong.shouldBeInRange(50 - spread..50 + spread)
    }

    @Test
    fun `a rate limit shows as the throughput that it allows`() {
        val next = LongArray(1)
        val result = ProgrammableServer {
            // One answer every 5 ms, in the order of arrival: 200/s, whatever the load.
            val due = synchronized(next) { maxOf(next[0], System.nanoTime()).also { next[0] = it + 5 * MILLI } }
            Thread.sleep(maxOf(0, (due - System.nanoTime()) / MILLI))
            answer()
        }.use { load(it, Load.Users(50, 2 * SECOND)) }
        result.done.answeredInWindow.shouldBeInRange(380L..410L)
    }

    @Test
    fun `bodies of another length than they declare fail`() {
        val short = ProgrammableServer { raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"); closeConnection() }
            .use { load(it, Load.Loops(1, 5)) }
        short.done.failures shouldBe mapOf(Outcome.RESET to 5L)
        val long = ProgrammableServer { raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more") }
            .use { load(it, Load.Loops(1, 5)) }
        long.done.failures shouldBe mapOf(Outcome.MALFORMED to 5L)
    }

    @Test
    fun `endless heads are too long`() {
        val result = ProgrammableServer {
            raw("HTTP/1.1 200 OK\r\n")
            runCatching { while (true) raw("X-More: and more\r\n") }
        }.use { load(it, Load.Loops(1, 3)) }
        result.done.failures shouldBe mapOf(Outcome.HEADERS_TOO_LONG to 3L)
    }

    @Test
    fun `endless chunks stop at the timeout, and are not kept`() {
        val chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n"
        val request = Request(path = "/", expect = Expectation(contains = "needle"))
        val before = heapAfterCollection()
        val result = ProgrammableServer {
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            runCatching { while (true) raw(chunk) }
        }.use { server ->
            load(server, Load.Users(2, SECOND)) {
                it.copy(request = request, responseTimeoutNanos = 800 * MILLI, drainNanos = SECOND)
            }
        }
        result.done.failures.keys shouldBe setOf(Outcome.RESPONSE_TIMEOUT)
        // Two bodies of at most 8 MiB each, and what a growing array needs while it is copied.
        heapAfterCollection() - before shouldBeLessThan 60_000_000
    }

    @Test
    fun `a server that accepts and never reads leaves its requests unfinished`() {
        ServerSocket(0, 50, InetAddress.getLoopbackAddress()).use { listening ->
            thread(isDaemon = true) { runCatching { while (true) listening.accept() } }
            val request = Request("POST", "/", body = "x".repeat(20_000_000))
            val result = load(listening.localPort, Load.Users(2, 300 * MILLI)) {
                it.copy(request = request, drainNanos = 200 * MILLI)
            }
            result.done.unfinished shouldBe 2
            result.done.sent shouldBe 2
        }
    }

    @Test
    fun `random bytes in random pieces end every request, and answers in between are still right`() {
        val start =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\nContent-Encoding: gzip\r\n\r\n"
        for (protocol in Protocol.entries) {
            val result = ProgrammableServer { number ->
                val random = Random(number)
                if (number % 3 == 2) return@ProgrammableServer answer()
                val junk =
                    start.toByteArray().copyOf(random.nextInt(start.length + 1)) + random.nextBytes(random.nextInt(400))
                var at = 0
                while (at < junk.size) {
                    val to = minOf(junk.size, at + 1 + random.nextInt(60))
                    raw(junk.copyOfRange(at, to))
                    at = to
                }
                closeConnection()
            }.use { server ->
                load(server, Load.Loops(8, 100)) {
                    val request = Request(path = "/", gzip = true, expect = Expectation(contains = "ok"), count = "x")
                    it.copy(
                        request = request, connections = Connections(protocol),
                        responseTimeoutNanos = 500 * MILLI, connectTimeoutNanos = 100 * MILLI,
                    )
                }
            }
            result.done.sent shouldBe 800
            result.done.sent shouldBe result.done.answered + result.done.failures.values.sum() + result.done.unfinished
            result.done.failures.keys.forEach {
                it shouldBeIn POSSIBLE
            }
            if (protocol == Protocol.HTTP_1_1) result.done.answered.shouldBeInRange(150L..300L)
        }
    }

    @Test
    fun `after all of that the engine still measures`() {
        val result = ProgrammableServer { answer() }.use { load(it, Load.Loops(5, 20)) }
        result.done.failures.shouldBeEmpty()
        result.done.answered shouldBe 100
    }

    private companion object {
        val POSSIBLE =
            setOf(
                Outcome.MALFORMED, Outcome.RESET, Outcome.WRONG_BODY, Outcome.UNEXPECTED_STATUS,
                Outcome.RESPONSE_TIMEOUT,
            )
    }

    private fun heapAfterCollection(): Long {
        System.gc()
        return Runtime.getRuntime().let { it.totalMemory() - it.freeMemory() }
    }
}
