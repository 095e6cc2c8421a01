package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.Future

@Tag("processes")
class RejectedRequestReplayTest {
    @Test
    fun `an ask that was refused gets no seat when the queue comes back with it`() {
        FaultScenario().use(::refuse)
    }

    private fun refuse(scenario: FaultScenario) {
        // As long as the caller waits, so that what comes out again is not too late only because this machine is slow.
        val service = scenario.service("queue", mapOf("tickets.queue.patience" to "12s")).also { it.awaitReady() }
        val event = service.open(capacity = 1)
        val (first, second, third) = List(3) { TicketClient(listOf(service.url), event, Random(it.toLong())) }
        fun TicketClient.ask(name: String) = reserveOnce(IdempotencyKey.of("$event-$name")!!)
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            lateinit var refused: Future<ReserveResult>
            // While the consumer waits for the books, the second ask waits in the queue: so it is in the copy, and nobody has taken it.
            val held = scenario.proxy.inject(ProtocolStep.GRANT_REQUESTED, FaultProxy.Fault.HELD_THEN_FORWARDED) {
                refused = threads.submit(Callable { second.ask("second") })
                await("the second ask") { Unit.takeIf { scenario.redis.asks() == 2 } }
                scenario.redis.backUp()
            }
            val granted = first.ask("first") as ReserveResult.Granted
            held.await()
            refused.get() shouldBe ReserveResult.SoldOut
            first.end(granted.reservation, ReservationState.RELEASED)
            scenario.redis.restoreBackup()
            // Behind the second in the queue, so when it is answered the second has been seen to.
            third.ask("third")
            third.retryUnresolved()
        }
        withClue(scenario.database.entries(event)) { scenario.broken(event, 1, listOf(first, second, third)).shouldBeEmpty() }
    }
}
