package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.time.Duration
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.Future
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState

@Tag("processes")
class RejectedRequestReplayTest {
    @Test
    fun `a rejected request gets no seat when the queue is restored with it`() {
        FaultScenario().use(::rejectAndRestore)
    }

    private fun rejectAndRestore(scenario: FaultScenario) {
        // Nothing here is about time: nobody gives up, and no request that is redelivered is too late, even on a slow
        // machine.
        val service = scenario.service("queue", mapOf("tickets.queue.timeout" to "1m")).also { it.awaitReady() }
        val event = service.open(capacity = 1)
        val (first, second, third) = List(3) { TicketClient(listOf(service.url), event, Random(it.toLong())) }
        fun TicketClient.reserve(name: String) =
            reserveOnce(IdempotencyKey.of("$event-$name")!!, timeout = Duration.ofMinutes(2))
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            lateinit var rejected: Future<ReserveResult>
            // While the consumer waits for the ledger, the second request waits in the queue. So it is in the backup,
            // not taken by any consumer.
            val held = scenario.proxy.inject(ProtocolStep.GRANT_REQUESTED, FaultProxy.Fault.HELD_THEN_FORWARDED) {
                rejected = threads.submit(Callable { second.reserve("second") })
                await("the second request") { Unit.takeIf { scenario.redis.queuedRequests() == 2 } }
                scenario.redis.backUp()
            }
            val granted = first.reserve("first") as ReserveResult.Granted
            held.await()
            rejected.get() shouldBe ReserveResult.SoldOut
            first.end(granted.reservation, ReservationState.RELEASED)
            scenario.redis.restoreBackup()
            // Behind the second in the queue, so when it is answered the second has been handled.
            third.reserve("third")
            third.retryUnresolved()
        }
        withClue(scenario.database.entries(event)) {
            scenario.broken(event, 1, listOf(first, second, third)).shouldBeEmpty()
        }
    }
}
