package threadgauge.tickets.queue

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.TimeSource
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.batch.BatchSettings
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.Retry
import threadgauge.tickets.sale.SharedStoreUnavailable
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.sale.StrategyListener

/**
 * Sends requests through a [queue] that all services share. Each service has one consumer, which takes them in batches
 * and lets the [ledger] grant them. Delivery is at least once, so the unique keys of the ledger prevent a second sale.
 *
 * The queue holds [BatchSettings.maxQueued] requests of all services together, so none pile up while the ledger is
 * down. A request waits for at most [BatchSettings.timeout]; then the answer is [Answer.Unknown], and a retry with the
 * same key returns the outcome.
 *
 * The consumer does not serve two kinds of requests:
 * - those older than the timeout, because their clients have gone;
 * - those queued before the queue's store restarted. A store may come back with requests that were rejected before, and
 *   a client whose answer was "sold out" would then be sold a seat.
 *
 * The consumer runs in [scope] until the strategy is drained.
 */
class QueueStrategy(
    private val queue: SharedQueue,
    private val ledger: Ledger,
    scope: CoroutineScope,
    private val settings: BatchSettings = BatchSettings(),
    private val listener: StrategyListener = StrategyListener.None,
    private val clock: TimeSource = TimeSource.Monotonic,
) : Strategy {
    private val pending = ConcurrentHashMap<Long, CompletableDeferred<Answer>>()
    private val numbers = AtomicLong()
    private val retry = Retry(settings.timeout, settings.initialBackoff, scope, clock)

    @Volatile
    private var isDraining = false

    init {
        queue.subscribe { number, answer -> pending[number]?.complete(answer) }
    }

    private val consumer = scope.launch { while (!isDraining || pending.isNotEmpty()) consume() }

    override val waiting: Int get() = pending.size

    override suspend fun reserve(request: SeatRequest): Answer {
        val number = numbers.incrementAndGet()
        val deferred = CompletableDeferred<Answer>()
        pending[number] = deferred
        try {
            if (isDraining || pending.size > settings.maxQueued) return busy(request.event)
            return withTimeoutOrNull(settings.timeout) {
                if (queue.put(number, request, settings.maxQueued)) deferred.await() else busy(request.event)
            } ?: Answer.Unknown
        } catch (lost: SharedStoreUnavailable) {
            listener.queueFailed(lost)
            return Answer.Unknown
        } finally {
            pending.remove(number)
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
                // Granting the events before this one takes time as well.
                val (open, late) = requests.partition {
                    it.waited + since.elapsedNow() < settings.timeout && !it.isFromBeforeRestart
                }
                if (late.isNotEmpty()) queue.acknowledge(late.associateWith { Answer.Unknown })
                if (open.isNotEmpty()) grant(event, open)
            }
        } catch (failed: Exception) {
            currentCoroutineContext().ensureActive()
            listener.queueFailed(failed)
            delay(settings.initialBackoff)
        }
    }

    /**
     * If the ledger stays down, the requests are not acknowledged: they are redelivered, by then past their timeout.
     */
    private suspend fun grant(event: EventId, taken: List<QueuedRequest>) {
        val began = clock.markNow()
        val answers = retry.execute({ listener.failed(event, it) }) { ledger.grant(event, taken.map { it.request }) }
            ?: return
        check(answers.size == taken.size) { "${answers.size} answers to ${taken.size} requests" }
        listener.granted(event, taken.size, began.elapsedNow())
        queue.acknowledge(taken.zip(answers).toMap())
    }

    private fun busy(event: EventId): Answer {
        listener.rejected(event)
        return Answer.Busy(settings.minRetryAfter)
    }
}
