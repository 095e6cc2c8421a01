package threadgauge.tickets.queue

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.batch.StrategyListener
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.SharedStoreUnavailable
import threadgauge.tickets.sale.Retry
import threadgauge.tickets.sale.Strategy
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.TimeSource

/**
 * Asks go through a [queue] that all services share, and come out of it one batch at a time: each service has one consumer, which lets the
 * [ledger] grant what it takes. An ask may come out twice, so it is the books, with their unique keys, that keep it from being sold twice.
 *
 * The queue holds [BatchSettings.maxQueued] asks of all services together, so that none piles up in it while the books are away. Nobody
 * waits for longer than [BatchSettings.timeout], and an ask that is older when it comes out is served no more, because its caller
 * has gone. Nor is one that was put there before the queue's memory ended and came back: it may have come back with asks that were refused
 * before, and a seat would be sold to somebody who was told that there is none. Whoever is told that nobody knows may have been granted
 * seats all the same; asking again with the same key tells. The consumer works in [scope] until the strategy is drained.
 */
class QueueStrategy(
    private val queue: SharedQueue,
    private val ledger: Ledger,
    scope: CoroutineScope,
    private val settings: BatchSettings = BatchSettings(),
    private val listener: StrategyListener = StrategyListener.None,
    private val clock: TimeSource = TimeSource.Monotonic,
) : Strategy {
    private val callers = ConcurrentHashMap<Long, CompletableDeferred<Answer>>()
    private val numbers = AtomicLong()
    private val retry = Retry(settings.timeout, settings.initialBackoff, scope, clock)

    @Volatile
    private var isDraining = false

    init {
        queue.subscribe { number, answer -> callers[number]?.complete(answer) }
    }

    private val consumer = scope.launch { while (!isDraining || callers.isNotEmpty()) consume() }

    override val waiting: Int get() = callers.size

    override suspend fun reserve(request: SeatRequest): Answer {
        val number = numbers.incrementAndGet()
        val told = CompletableDeferred<Answer>()
        callers[number] = told
        try {
            if (isDraining || callers.size > settings.maxQueued) return busy(request.event)
            return withTimeoutOrNull(settings.timeout) {
                if (queue.put(number, request, settings.maxQueued)) told.await() else busy(request.event)
            } ?: Answer.Unknown
        } catch (lost: SharedStoreUnavailable) {
            listener.queueFailed(lost)
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
            val taken = queue.take(settings.maxBatch)
            val since = clock.markNow()
            for ((event, requests) in taken.groupBy { it.request.event }) {
                // The events before this one may have taken their time.
                val (open, late) = requests.partition { it.waited + since.elapsedNow() < settings.timeout && !it.isFromBeforeRestart }
                if (late.isNotEmpty()) queue.acknowledge(late.associateWith { Answer.Unknown })
                if (open.isNotEmpty()) serve(event, open)
            }
        } catch (failed: Exception) {
            currentCoroutineContext().ensureActive()
            listener.queueFailed(failed)
            delay(settings.initialBackoff)
        }
    }

    /** Where the books stay away the asks are left as they are: they come out again, by then too late to be served. */
    private suspend fun serve(event: EventId, taken: List<QueuedRequest>) {
        val began = clock.markNow()
        val answers = retry.execute({ listener.failed(event, it) }) { ledger.grant(event, taken.map { it.request }) } ?: return
        check(answers.size == taken.size) { "${answers.size} answers to ${taken.size} asks" }
        listener.granted(event, taken.size, began.elapsedNow())
        queue.acknowledge(taken.zip(answers).toMap())
    }

    private fun busy(event: EventId): Answer {
        listener.rejected(event)
        return Answer.Busy(settings.minRetryAfter)
    }
}
