package threadgauge.load.agent

import threadgauge.load.http.Slot
import threadgauge.model.Outcome

/**
 * Times out requests without an answer after [patienceNanos], and streams without a message for as long. It scans all
 * slots from time to time, because a timer per request would cost more than the request.
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
            if (slot.state == Slot.State.BUSY && nowNanos - lastSign(slot) > patienceNanos) {
                slot.abandon(Outcome.RESPONSE_TIMEOUT)
            }
        }
    }

    /** A stream has no end that could be awaited, but it must not fall silent. */
    private fun lastSign(slot: Slot): Long {
        val tap = slot.body.tap ?: return slot.sentNanos
        return if (tap.messages == 0L) slot.sentNanos else tap.lastNanos
    }
}

/** Scanning 18,000 slots takes a while, and a timeout need not be accurate to 10 ms. */
private const val ROUND_NANOS = 100_000_000L
