package threadgauge.tickets.batch

import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.joinAll
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.sale.StrategyListener

/**
 * One writer per event takes all requests that wait and lets the ledger grant them in one transaction. A transaction
 * costs about as much for a hundred requests as for one: a lock on one row, and a write that the disk must confirm.
 * While it runs, the next batch gathers. So batches are small and answers fast under light load, and batches grow to
 * [BatchSettings.maxBatch] under heavy load.
 *
 * A request for more seats than were left at the last batch is answered by a read, which takes no lock and writes
 * nothing. So a sold-out sale answers faster than one that still sells.
 *
 * The batcher of an event lives until the strategy is drained, so callers must not request seats of events that do not
 * exist. Batchers run in [scope]; cancelling it ends them, and all that wait get an answer.
 */
class BatchStrategy(
    private val ledger: Ledger,
    private val scope: CoroutineScope,
    private val settings: BatchSettings = BatchSettings(),
    private val listener: StrategyListener = StrategyListener.None,
    private val clock: TimeSource = TimeSource.Monotonic,
) : Strategy {
    private val batchers = ConcurrentHashMap<EventId, EventBatcher>()

    @Volatile
    private var isDraining = false

    override val waiting: Int get() = batchers.values.sumOf { it.waiting }

    override suspend fun reserve(request: SeatRequest): Answer {
        if (isDraining) return Answer.Busy(settings.minRetryAfter)
        return batchers
            .computeIfAbsent(request.event) { EventBatcher(it, ledger, scope, settings, listener, clock) }
            .reserve(request)
    }

    override suspend fun drain() {
        isDraining = true
        batchers.values.flatMap { it.close() }.joinAll()
    }
}

/** Limits of a [BatchStrategy], and of the queue strategy. */
data class BatchSettings(
    /** Requests that may wait for the writer of one event, and as many for its reader. More are rejected. */
    val maxQueued: Int = 10_000,
    /** Requests in one transaction. Larger batches are slower and no cheaper per request. */
    val maxBatch: Int = 256,
    /**
     * How long a request may wait in the queue, and how long its batch is retried if the ledger fails or hangs. So no
     * request takes longer than twice the timeout.
     */
    val timeout: Duration = 5.seconds,
    /** Pause before the first retry; doubles for each further one. */
    val initialBackoff: Duration = 20.milliseconds,
    /** Lower limit of Retry-After, which HTTP gives in whole seconds. */
    val minRetryAfter: Duration = 1.seconds,
) {
    init {
        require(maxQueued > 0 && maxBatch > 0) { "maxQueued and maxBatch must be positive: $this" }
    }
}
