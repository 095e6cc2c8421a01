package threadgauge.load.http.http2

import io.netty.channel.Channel
import threadgauge.load.http.Dialer
import threadgauge.model.Outcome

/**
 * An HTTP/2 connection that several [Http2Slot]s share, each with one stream at a time. It outlives its TCP
 * connections, which it uses one after the other.
 *
 * Belongs to one event loop.
 */
internal class ReconnectingHttp2(
    private val target: Int,
    private val dialer: Dialer,
    private val maxHeaderBytes: Int,
) {
    private val waiting = ArrayList<Http2Slot>()
    private val members = ArrayList<Http2Slot>()
    private var wire: Http2Connection? = null

    /** Adds a slot that shares this connection. */
    fun join(slot: Http2Slot) {
        members += slot
    }

    /** Calls [Http2Slot.opened] as soon as the connection is open. */
    fun connect(slot: Http2Slot) {
        val open = wire
        if (open != null && open.usable) return slot.opened(first = false)
        waiting += slot
        if (open == null) dial()
    }

    /** Opens a stream for [slot]; false if the connection has no stream id left for it. */
    fun send(slot: Http2Slot): Boolean = wire!!.send(slot)

    /** Closes the connection without a callback; slots that wait for it are forgotten. */
    fun close() {
        val open = wire ?: return
        wire = null
        waiting.clear()
        open.close()
    }

    /** The TLS handshake on [channel] succeeded. */
    fun agreed(channel: Channel) = dialer.agreed(channel)

    /** The handshake failed because of [cause]; null if it agreed on another protocol. */
    fun disagreed(cause: Throwable?) {
        dialer.tlsFailure = cause
    }

    /** [open] is ready for requests. */
    fun opened(open: Http2Connection) {
        if (wire !== open) return
        val first = waiting.toList()
        waiting.clear()
        first.forEachIndexed { index, slot -> slot.opened(first = index == 0) }
    }

    /**
     * [gone] accepts no more requests. Slots that wait for it fail with [outcome]; idle ones connect again when needed.
     * Requests under way learn of their end from [gone].
     */
    fun left(gone: Http2Connection, outcome: Outcome) {
        if (wire !== gone) return
        wire = null
        val failing = waiting.toList()
        waiting.clear()
        // All slots must be closed before any listener is called: it may send on another slot at once.
        for (slot in members) slot.left()
        failing.forEach { it.failed(outcome) }
    }

    private fun dial() {
        val fresh = Http2Connection(this, maxHeaderBytes)
        wire = fresh
        dialer.dial(target, fresh) { left(fresh, it) }
    }
}

/** A request under way on a connection of HTTP/2. */
internal interface Http2Stream {
    /** Tells the server that the answer is no longer wanted (RST_STREAM with CANCEL). */
    fun cancel()
}
