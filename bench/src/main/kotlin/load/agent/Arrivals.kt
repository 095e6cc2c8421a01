package threadgauge.load.agent

import threadgauge.load.http.Slot

/** Decides when the next request leaves, and on which slot. Belongs to one event loop. */
internal sealed interface Arrivals {
    fun begin(nowNanos: Long)

    /** [slot] has nothing to do. Not [calm] means that its last request failed for want of a working server. */
    fun free(slot: Slot, nowNanos: Long, calm: Boolean)

    /** No request intended before this time is still to be sent, but for those that the recorder was told to expect. */
    fun nextIntendedNanos(nowNanos: Long): Long

    /** Nothing more will be sent. */
    fun isOver(nowNanos: Long): Boolean

    /** Ends sending, and calls [each] with the intended time of every request that was due and never left. */
    fun unsent(each: (Long) -> Unit)
}

/** Sends a request that is meant for [attempt]'s first time, now being the second, as soon as the slot is open. */
internal fun interface Attempt {
    // Not a function type, which would box both numbers of every request.
    fun attempt(slot: Slot, intendedNanos: Long, nowNanos: Long)
}
