package threadgauge.load.agent.arrivals

import threadgauge.load.http.Slot

/** Decides when the next request is sent, and on which slot. Belongs to one event loop. */
internal sealed interface Arrivals {
    /** Starts sending. */
    fun begin(nowNanos: Long)

    /**
     * [slot] has no request any more. It is not [calm] if its last request failed without an answer. Its user pauses
     * for [restNanos] before what it does next, besides the pauses of the load.
     */
    fun free(slot: Slot, nowNanos: Long, calm: Boolean, restNanos: Long = 0)

    /** The user of [slot] would next do something after the end of the load, and so is done. */
    fun leave(slot: Slot, nowNanos: Long)

    /**
     * The earliest intended time of requests still to be sent, except for those that the recorder already expects.
     * `System.nanoTime`.
     */
    fun nextIntendedNanos(nowNanos: Long): Long

    /** True if nothing more will be sent. */
    fun isOver(nowNanos: Long): Boolean

    /** Stops sending, and calls [each] with the intended time of every request that was due and never sent. */
    fun unsent(each: (Long) -> Unit)
}

/** Sends a request as soon as the slot is open. Its first number is the intended time, the second the time now. */
internal fun interface Attempt {
    // Not a function type, which would box both numbers of every request.
    fun attempt(slot: Slot, intendedNanos: Long, nowNanos: Long)
}
