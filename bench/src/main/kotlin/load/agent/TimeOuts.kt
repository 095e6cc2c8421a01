package threadgauge.load.agent

import threadgauge.load.http.Slot
import threadgauge.model.Outcome

/**
 * Times out requests without an answer after [patienceNanos]. It scans all slots from time to time, because a timer per
 * request would cost more than the request.
 *
 * Belongs to one event loop.
 */
internal class TimeOuts(private val slots: List<Slot>, private val patienceNanos: Long) {
    private var nextNanos = Long.MIN_VALUE

    /** Scans the slots if the last scan is old enough. */
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

/** Scanning 18,000 slots takes a while, and a timeout need not be accurate to 10 ms. */
private const val ROUND_NANOS = 100_000_000L
