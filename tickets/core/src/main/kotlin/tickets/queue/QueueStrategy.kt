package threadgauge.tickets.queue

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.batch.BatchWatcher
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.MemoryLost
import threadgauge.tickets.sale.Patience
import threadgauge.tickets.sale.Strategy
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.TimeSource

/**
 * Asks go through a [queue] that all services share, and come out of it one batch at a time: each service has one consumer, which lets the
 * [ledger] grant what it takes. An ask may come out twice, so it is the books, with their unique keys, that keep it from being sold twice.
 *
 * The queue holds [BatchSettings.queueMost] asks of all services together, so that none piles up in it while the books are away. Nobody
 * waits for longer than [BatchSettings.patience], and an ask that is older when it comes out is served no more, because its caller
 * has gone. Nor is one that was put there before the queue's memory ended and came back: it may have come back with asks that were refused
 * before, and a seat would be sold to somebody who was told that there is none. Whoever is told that nobody knows may have been granted
 * seats all the same; asking again with the same key tells. The consumer works in [scope] until the strategy is drained.
 */
class QueueStrategy(
    private val queue: SharedQueue,
    private val ledger: Ledger,
    scope: CoroutineScope,
    private val settings: BatchSettings = BatchSettings(),
    private val watcher: BatchWatcher = BatchWatcher.None,
    private val clock: TimeSource = TimeSource.Monotonic,
) : Strategy {
    private val callers = ConcurrentHashMap<Long, CompletableDeferred<Answer>>()
    private val numbers = AtomicLong()
    private val patience = Patience(settings.patience, settings.firstPause, scope, clock)

    @Volatile
    private var isDraining = false

    init {
        queue.listen { number, answer -> callers[number]?.complete(answer) }
    }

    private val consumer = scope.launch { while (!isDraining || callers.isNotEmpty()) consume() }

    override val waiting: Int get() = callers.size

    override suspend fun reserve(ask: Ask): Answer {
        val number = numbers.incrementAndGet()
        val told = CompletableDeferred<Answer>()
        callers[number] = told
        try {
            if (isDraining || callers.size > settings.queueMost) return busy(ask.event)
            return withTimeoutOrNull(settings.patience) {
                if (queue.put(number, ask, settings.queueMost)) told.await() else busy(ask.event)
            } ?: Answer.Unknown
        } catch (lost: MemoryLost) {
            watcher.queueLost(lost)
            return Answer.Unknown
        } finally {
            callers.remove(number)
        }
    }

    override suspend fun drain() {
        isDraining = true
        consumer.join()
    }

    private suspend fun consume() {
        try {
            val taken = queue.take(settings.batchMost)
            val since = clock.markNow()
            for ((event, asks) in taken.groupBy { it.ask.event }) {
                // The events before this one may have taken their time.
                val (open, late) = asks.partition { it.waited + since.elapsedNow() < settings.patience && !it.isOfEarlierLife }
                if (late.isNotEmpty()) queue.done(late.associateWith { Answer.Unknown })
                if (open.isNotEmpty()) serve(event, open)
            }
        } catch (failed: Exception) {
            currentCoroutineContext().ensureActive()
            watcher.queueLost(failed)
            delay(settings.firstPause)
        }
    }

    /** Where the books stay away the asks are left as they are: they come out again, by then too late to be served. */
    private suspend fun serve(event: EventId, taken: List<Queued>) {
        val began = clock.markNow()
        val answers = patience.with({ watcher.failed(event, it) }) { ledger.grant(event, taken.map { it.ask }) } ?: return
        check(answers.size == taken.size) { "${answers.size} answers to ${taken.size} asks" }
        watcher.granted(event, taken.size, began.elapsedNow())
        queue.done(taken.zip(answers).toMap())
    }

    private fun busy(event: EventId): Answer {
        watcher.refused(event)
        return Answer.Busy(settings.retryAfterLeast)
    }
}
