package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeLessThan
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import threadgauge.tickets.faults.Crowd.Companion.asking
import java.util.concurrent.TimeUnit

/** The database neither answers nor goes away, as one does whose disk or whose machine hangs. */
@Tag("processes")
class DatabaseStallTest {
    @TestFactory
    fun `nobody waits for longer than twice the patience while the database stands still, and no promise is broken`() =
        LedgerKind.entries.map { dynamicTest(it.word) { standStill(it) } }

    private fun standStill(kind: LedgerKind) {
        FaultScenario(kind).use { scenario ->
            val service = scenario.service("batch", mapOf("tickets.queue.patience" to "${PATIENCE_MILLIS}ms")).also { it.awaitReady() }
            val crowd = Crowd(scenario, service, CAPACITY, CLIENTS)
            listOf(crowd).asking(TicketClient::reserveOnce) {
                await("the first who has seats") { Unit.takeIf { scenario.database.entries(crowd.event).isNotEmpty() } }
                scenario.database.paused { Thread.sleep(STOP_MILLIS) }
            }
            crowd.judge()
            val calls = crowd.clients.flatMap { it.calls }
            withClue("the longest that somebody waited, in milliseconds") {
                val longest = calls.maxOf { (it.endNanos ?: Long.MAX_VALUE) - it.beginNanos }
                TimeUnit.NANOSECONDS.toMillis(longest) shouldBeLessThan 2 * PATIENCE_MILLIS + SLACK_MILLIS
            }
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val CLIENTS = 16
        const val PATIENCE_MILLIS = 1_000L

        /** Longer than anybody may wait. */
        const val STOP_MILLIS = 6_000L

        /** For the way there and back, on a machine that does much else. */
        const val SLACK_MILLIS = 1_000L
    }
}
