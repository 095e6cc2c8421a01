package threadgauge.load.agent

import io.kotest.matchers.longs.shouldBeBetween
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.Outcome

/** The beginning of a load, which does not count. */
@Tag("ports")
class LeadInTest : EngineTest() {
    @Test
    fun `requests of the lead-in are sent and checked, and counted nowhere`() {
        val server = ProgrammableServer { answer() }
        val result = server.use { load(it, Load.Rate(200.0, 2 * SECOND)) { order -> order.copy(leadInNanos = HALF) } }
        server.requests.get() shouldBe 400
        result.done.windowNanos shouldBe 2 * SECOND - HALF
        result.done.run { listOf(scheduled, sent, answered) } shouldBe listOf(300L, 300L, 300L)
        result.done.statuses shouldBe mapOf(200 to 300L)
        result.done.received.bodyBytes shouldBe 2 * 300
        result.latency.count shouldBe 300
        result.seconds.sumOf { it.sent } shouldBe 300
    }

    @Test
    fun `failures of the lead-in are not part of the result`() {
        val users = 20
        fun failures(leadIn: Long) =
            ProgrammableServer { number ->
                if (number < users) answer(status = "503 Service Unavailable") else answer()
            }.use { load(it, Load.Users(users, SECOND)) { order -> order.copy(leadInNanos = leadIn) } }.done.failures
        failures(leadIn = HALF).shouldBeEmpty()
        failures(leadIn = 0) shouldBe mapOf(Outcome.SERVER_ERROR to users.toLong())
    }

    @Test
    fun `answers within the window count as throughput, whenever their requests were sent`() {
        val users = 10
        // The first requests are answered in the middle of the window, the second ones long after its end.
        val result = ProgrammableServer { number ->
            Thread.sleep(if (number < users) 1_000 else 4_000)
            answer()
        }.use { load(it, Load.Users(users, 3 * SECOND)) { order -> order.copy(leadInNanos = 100 * MILLI) } }
        result.done.answeredInWindow shouldBe users
        result.done.sent shouldBe users
        result.done.answered shouldBe users
        result.done.windowNanos shouldBe 2_900 * MILLI
        result.latency.minMicros.toLong().shouldBeBetween(3_900_000, 30_000_000)
    }

    @Test
    fun `a lead-in that is not shorter than its load is rejected`() {
        val failure = runCatching {
            ProgrammableServer { answer() }.use {
                load(it, Load.Rate(200.0, SECOND)) { order -> order.copy(leadInNanos = SECOND) }
            }
        }.exceptionOrNull()
        "$failure" shouldContain "a lead-in of 1000000000 ns must be shorter than its load"
    }

    private companion object {
        const val HALF = 500 * MILLI
    }
}
