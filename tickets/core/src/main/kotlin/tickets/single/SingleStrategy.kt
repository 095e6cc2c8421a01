package threadgauge.tickets.single

import kotlinx.coroutines.CoroutineScope
import threadgauge.tickets.batch.StrategyListener
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Retry
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.sale.Bulkhead
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Every ask by itself, in a transaction of its own: what a service does that nobody has thought much about. As many as
 * [SingleSettings.maxConcurrent] are in [sell] at a time, more wait in the order in which they came, and what is too many is told to come back.
 *
 * [sell] works in [scope], and may fail with an exception; then it is tried again, so it must be safe to do twice with the same key. One
 * that hangs keeps its room until it ends, because it has a connection for as long.
 */
class SingleStrategy(
    private val settings: SingleSettings,
    scope: CoroutineScope,
    private val listener: StrategyListener = StrategyListener.None,
    private val clock: TimeSource = TimeSource.Monotonic,
    private val sell: suspend (SeatRequest) -> Answer,
) : Strategy {
    private val bulkhead = Bulkhead(settings.maxConcurrent, settings.maxQueued, settings.timeout)
    private val retry = Retry(settings.timeout, settings.initialBackoff, scope, clock)

    @Volatile
    private var isDraining = false

    override val waiting: Int get() = bulkhead.waiting

    override suspend fun reserve(request: SeatRequest): Answer {
        if (isDraining || !bulkhead.tryAcquire()) {
            listener.rejected(request.event)
            return Answer.Busy(settings.retryAfter)
        }
        val began = clock.markNow()
        val answer = retry.execute({ listener.failed(request.event, it) }, onEnd = bulkhead::release) { sell(request) } ?: return Answer.Unknown
        listener.granted(request.event, 1, began.elapsedNow())
        return answer
    }

    override suspend fun drain() {
        isDraining = true
        bulkhead.awaitIdle()
    }
}

/** Bounds of a [SingleStrategy]. */
data class SingleSettings(
    /** Asks under way at a time; more than there are connections to the books only wait elsewhere. */
    val maxConcurrent: Int = 8,
    /** Asks that may wait for their turn. */
    val maxQueued: Int = 10_000,
    /** How long one may wait for its turn, and how long it is tried when its turn has come. */
    val timeout: Duration = 5.seconds,
    val initialBackoff: Duration = 20.milliseconds,
    val retryAfter: Duration = 1.seconds,
) {
    init {
        require(maxQueued > 0 && maxConcurrent > 0) { "nothing could be sold with $this" }
    }
}
