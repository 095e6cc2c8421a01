package threadgauge.tickets.single

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CoroutineScope
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Bulkhead
import threadgauge.tickets.sale.Retry
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.sale.StrategyListener

/**
 * Sells one request at a time, each in a transaction of its own: the usual design of a simple service. A bulkhead
 * limits concurrent calls to [SingleSettings.maxConcurrent]. More wait, first come, first served, and the rest are
 * rejected.
 *
 * [sell] runs in [scope]. It is retried after an exception, so it must be idempotent for a key. A call that hangs keeps
 * its permit until it ends, because it holds a connection for as long.
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
        val answer = retry.execute({ listener.failed(request.event, it) }, onEnd = bulkhead::release) { sell(request) }
            ?: return Answer.Unknown
        listener.granted(request.event, 1, began.elapsedNow())
        return answer
    }

    override suspend fun drain() {
        isDraining = true
        bulkhead.awaitIdle()
    }
}

/** Limits of a [SingleStrategy]. */
data class SingleSettings(
    /** Concurrent requests. More than the connections to the ledger gain nothing. */
    val maxConcurrent: Int = 8,
    /** Requests that may wait for a permit. */
    val maxQueued: Int = 10_000,
    /** Maximum time in the queue, and maximum time of the attempts after that. */
    val timeout: Duration = 5.seconds,
    /** Pause before the first retry; doubles for each further one. */
    val initialBackoff: Duration = 20.milliseconds,
    /** Sent to clients that are rejected. */
    val retryAfter: Duration = 1.seconds,
) {
    init {
        require(maxQueued > 0 && maxConcurrent > 0) { "maxQueued and maxConcurrent must be positive: $this" }
    }
}
