package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeLessThan
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import threadgauge.tickets.faults.Crowd.Companion.underLoad

/** The database hangs without closing connections, as with a disk or a machine that hangs. */
@Tag("processes")
class DatabaseStallTest {
    @TestFactory
    fun `while the database hangs no request takes longer than twice the timeout, and no promise is broken`() =
        LedgerKind.entries.map { dynamicTest(it.option) { stall(it) } }

    private fun stall(kind: LedgerKind) {
        FaultScenario(kind).use { scenario ->
            val settings = mapOf("tickets.queue.timeout" to "${TIMEOUT_MILLIS}ms")
            val service = scenario.service("batch", settings).also { it.awaitReady() }
            val crowd = Crowd(scenario, service, CAPACITY, CLIENTS)
            listOf(crowd).underLoad(TicketClient::reserveOnce) {
                await("the first reservation") { Unit.takeIf { scenario.database.entries(crowd.event).isNotEmpty() } }
                scenario.database.paused { Thread.sleep(PAUSE_MILLIS) }
            }
            crowd.check()
            val calls = crowd.clients.flatMap { it.calls }
            withClue("the longest response time, in milliseconds") {
                val longest = calls.maxOf { (it.endNanos ?: Long.MAX_VALUE) - it.beginNanos }
                TimeUnit.NANOSECONDS.toMillis(longest) shouldBeLessThan 2 * TIMEOUT_MILLIS + SLACK_MILLIS
            }
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val CLIENTS = 16
        const val TIMEOUT_MILLIS = 2_000L

        /** Longer than a request may take, by more than the slack. */
        const val PAUSE_MILLIS = 12_000L

        /** For the way there and back, on a busy machine; less than two timeouts more. */
        const val SLACK_MILLIS = 3_000L
    }
}
