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
 * [size] callers who want seats of one event, which the [service] opens. Each has a thread of his own, asks at the [place], and makes so
 * many [tries] for a wish of which nobody can tell anything.
 */
internal class Crowd(
    private val stage: Stage,
    service: Replica,
    private val capacity: Int,
    size: Int,
    place: URI = service.place,
    tries: Int = Caller.TRIES,
) {
    val event = service.open(capacity)
    val callers = List(size) { Caller(listOf(place), event, Random(it.toLong()), tries) }

    /** Everybody asks for one seat a single time, [meanwhile] something is done; returns when both are over. */
    fun askOnce(meanwhile: () -> Unit) = withThreads { threads ->
        val asking = callers.mapIndexed { number, caller -> threads.submit { caller.once(key(number, 0)) } }
        meanwhile()
        asking.forEach { it.get() }
    }

    /** Everybody has an answer in the end, now that all is well, and every answer is kept. */
    fun judge() {
        withThreads { threads -> callers.map { threads.submit { it.settle() } }.forEach { it.get() } }
        callers.flatMap { it.open.keys }.shouldBeEmpty()
        stage.broken(event, capacity, callers).shouldBeEmpty()
    }

    /** Some may have been told to come back: whatever is left is sold, and after that nothing is. */
    fun sellOut() {
        val last = callers.first()
        var wish = 1
        await("the last seat of event $event") { Unit.takeIf { last.once(key(0, wish++)) == ReserveResult.SoldOut } }
        judge()
        stage.books.entries(event).sumOf { it.seats } shouldBe capacity
    }

    fun key(number: Int, wish: Int): IdempotencyKey = IdempotencyKey.of("$event-caller-$number-wish-$wish")!!

    private fun asking(threads: ExecutorService, isOver: AtomicBoolean, ask: Caller.(IdempotencyKey) -> Unit): List<Future<*>> =
        callers.mapIndexed { number, caller ->
            threads.submit {
                var wish = 0
                while (!isOver.get()) caller.ask(key(number, wish++))
            }
        }

    companion object {
        /** Everybody of these crowds asks for one wish after the other, in the way of [ask], until [block] is over. */
        fun List<Crowd>.asking(ask: Caller.(IdempotencyKey) -> Unit, block: () -> Unit) = withThreads { threads ->
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
