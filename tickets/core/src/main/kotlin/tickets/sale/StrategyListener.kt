package threadgauge.tickets.sale

import kotlin.time.Duration
import threadgauge.tickets.rules.EventId

/** Receives what a strategy does. Called on the strategy's own threads, so it must return fast and must not throw. */
interface StrategyListener {
    /** The ledger granted a batch of [size] requests in the time [took]. */
    fun granted(event: EventId, size: Int, took: Duration) {}

    /** The ledger was read for [size] requests in the time [took]. */
    fun read(event: EventId, size: Int, took: Duration) {}

    /** A request was rejected, because the queue was full or the request waited for too long. */
    fun rejected(event: EventId) {}

    /** The ledger failed. The call is retried until its timeout. */
    fun failed(event: EventId, reason: Exception) {}

    /** The queue that services share failed. It is retried. */
    fun queueFailed(reason: Exception) {}

    object None : StrategyListener
}
