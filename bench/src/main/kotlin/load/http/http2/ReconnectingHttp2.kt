package threadgauge.load.http.http2

import io.netty.channel.Channel
import threadgauge.load.http.Dialer
import threadgauge.model.Outcome

/**
 * One connection of HTTP/2 that several [Http2Slot]s share, each with a stream at a time. It outlives the TCP
 * connections that it uses one after the other.
 *
 * Belongs to one event loop.
 */
internal class ReconnectingHttp2(
    private val target: Int,
    private val dialer: Dialer,
    private val request: Http2Request,
    private val maxHeaderBytes: Int,
) {
    private val waiting = ArrayList<Http2Slot>()
    private val members = ArrayList<Http2Slot>()
    private var wire: Http2Connection? = null

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

    /** Begins a stream for [slot]; false where the connection has no number left for one. */
    fun send(slot: Http2Slot): Boolean = wire!!.send(slot)

    fun close() {
        val open = wire ?: return
        wire = null
        waiting.clear()
        open.close()
    }

    /** The handshake of TLS on [channel] succeeded. */
    fun agreed(channel: Channel) = dialer.agreed(channel)

    /** The handshake failed because of [cause], or came to another protocol where that is null. */
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
     * [gone] takes no more requests: whoever waits for it fails by [outcome], and who is idle connects anew when
     * needed. Requests under way hear of their end from it.
     */
    fun left(gone: Http2Connection, outcome: Outcome) {
        if (wire !== gone) return
        wire = null
        val failing = waiting.toList()
        waiting.clear()
        // All slots must look closed before anybody hears of it: who hears may at once take another slot and send.
        for (slot in members) slot.left()
        failing.forEach { it.failed(outcome) }
    }

    private fun dial() {
        val fresh = Http2Connection(this, request, maxHeaderBytes)
        wire = fresh
        dialer.dial(target, fresh) { left(fresh, it) }
    }
}

/** A request under way on a connection of HTTP/2. */
internal interface Http2Stream {
    /** The server is told that nobody waits for the answer any more. */
    fun cancel()
}
