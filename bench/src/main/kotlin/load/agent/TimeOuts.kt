package threadgauge.load.agent

import threadgauge.load.http.Slot
import threadgauge.model.Outcome

/**
 * Gives requests up that have waited [patienceNanos] for an answer. One look through all slots now and then, instead of
 * a timer for each request, which would cost more than the request.
 *
 * Belongs to one event loop.
 */
internal class TimeOuts(private val slots: List<Slot>, private val patienceNanos: Long) {
    private var nextNanos = Long.MIN_VALUE

    fun look(nowNanos: Long) {
        if (nowNanos < nextNanos) return
        nextNanos = nowNanos + ROUND_NANOS
        for (slot in slots) {
            if (slot.state == Slot.State.BUSY && nowNanos - slot.sentNanos > patienceNanos) {
                slot.abandon(Outcome.RESPONSE_TIMEOUT)
            }
        }
    }
}

/** Looking through 18,000 slots takes a while, and nobody needs a time-out to the hundredth of a second. */
private const val ROUND_NANOS = 100_000_000L
