package threadgauge.tickets.faults

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import java.net.URI
import java.util.Random
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.atomic.AtomicBoolean

/**
 * [size] callers who want seats of one event, which the [service] opens. Each has a thread of his own, asks at the [url], and makes so
 * many [maxAttempts] for a wish of which nobody can tell anything.
 */
internal class Crowd(
    private val scenario: FaultScenario,
    service: Replica,
    private val capacity: Int,
    size: Int,
    url: URI = service.url,
    maxAttempts: Int = TicketClient.MAX_ATTEMPTS,
) {
    val event = service.open(capacity)
    val clients = List(size) { TicketClient(listOf(url), event, Random(it.toLong()), maxAttempts) }

    /** Everybody asks for one seat a single time, [meanwhile] something is done; returns when both are over. */
    fun askOnce(meanwhile: () -> Unit) = withThreads { threads ->
        val asking = clients.mapIndexed { number, client -> threads.submit { client.reserveOnce(key(number, 0)) } }
        meanwhile()
        asking.forEach { it.get() }
    }

    /** Everybody has an answer in the end, now that all is well, and every answer is kept. */
    fun judge() {
        withThreads { threads -> clients.map { threads.submit { it.retryUnresolved() } }.forEach { it.get() } }
        clients.flatMap { it.unresolved.keys }.shouldBeEmpty()
        scenario.broken(event, capacity, clients).shouldBeEmpty()
    }

    /** Some may have been told to come back: whatever is left is sold, and after that nothing is. */
    fun sellOut() {
        val last = clients.first()
        var wish = 1
        await("the last seat of event $event") { Unit.takeIf { last.reserveOnce(key(0, wish++)) == ReserveResult.SoldOut } }
        judge()
        scenario.database.entries(event).sumOf { it.seats } shouldBe capacity
    }

    fun key(number: Int, wish: Int): IdempotencyKey = IdempotencyKey.of("$event-caller-$number-wish-$wish")!!

    private fun asking(threads: ExecutorService, isOver: AtomicBoolean, ask: TicketClient.(IdempotencyKey) -> Unit): List<Future<*>> =
        clients.mapIndexed { number, client ->
            threads.submit {
                var wish = 0
                while (!isOver.get()) client.ask(key(number, wish++))
            }
        }

    companion object {
        /** Everybody of these crowds asks for one wish after the other, in the way of [ask], until [block] is over. */
        fun List<Crowd>.asking(ask: TicketClient.(IdempotencyKey) -> Unit, block: () -> Unit) = withThreads { threads ->
            val isOver = AtomicBoolean()
            val asking = flatMap { it.asking(threads, isOver, ask) }
            try {
                block()
            } finally {
                isOver.set(true)
            }
            asking.forEach { it.get() }
        }

        private fun withThreads(block: (ExecutorService) -> Unit) = Executors.newVirtualThreadPerTaskExecutor().use(block)
    }
}
