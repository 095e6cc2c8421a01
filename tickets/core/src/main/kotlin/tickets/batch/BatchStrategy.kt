package threadgauge.tickets.batch

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.joinAll
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.Strategy
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One writer for each event, which takes all that wait at once and lets the ledger grant them in one transaction. A transaction costs as
 * much for a hundred asks as for one: a lock on one row, and a write that the disk must confirm. While it runs, the next batch gathers by
 * itself, so under little load batches are small and answers are quick, and under much load they grow to [BatchSettings.maxBatch].
 *
 * Callers who ask for more than was left the last time are answered by reading alone, which needs no lock and writes nothing: a sale that
 * is sold out answers faster than one that is not.
 *
 * Each event that was ever asked for keeps its lane until the strategy is drained, so the caller must not ask for events that do not
 * exist. Lanes work in [scope]; cancelling it breaks off what waits.
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
        return batchers.computeIfAbsent(request.event) { EventBatcher(it, ledger, scope, settings, listener, clock) }.reserve(request)
    }

    override suspend fun drain() {
        isDraining = true
        batchers.values.flatMap { it.close() }.joinAll()
    }
}

/** Bounds of a [BatchStrategy]. */
data class BatchSettings(
    /** Asks that may wait for the writer of one event, and as many again for its reader. More are told to come back. */
    val maxQueued: Int = 10_000,
    /** Asks in one transaction. More of them make it slower without making it cheaper by the ask. */
    val maxBatch: Int = 256,
    /**
     * How long an ask may wait before its turn, and how long its batch is waited for when the ledger fails or stands still, before its
     * callers are told that nobody knows. So nobody waits for longer than twice this.
     */
    val timeout: Duration = 5.seconds,
    /** Wait before the second try; doubled for each one more. */
    val initialBackoff: Duration = 20.milliseconds,
    /** HTTP tells callers whole seconds, so less than one cannot be said. */
    val minRetryAfter: Duration = 1.seconds,
) {
    init {
        require(maxQueued > 0 && maxBatch > 0) { "nothing could be sold with $this" }
    }
}

/** Is told what a strategy does, on the strategy's own threads: must be quick, and must not throw. */
interface StrategyListener {
    /** The ledger has granted a batch of [size], after so long. */
    fun granted(event: EventId, size: Int, took: Duration) {}

    /** The ledger has been read for so many asks. */
    fun read(event: EventId, size: Int, took: Duration) {}

    /** The queue was full. */
    fun rejected(event: EventId) {}

    /** The ledger failed, and is tried again unless patience is over. */
    fun failed(event: EventId, reason: Exception) {}

    /** The queue that services share failed, and is tried again. */
    fun queueFailed(reason: Exception) {}

    object None : StrategyListener
}
