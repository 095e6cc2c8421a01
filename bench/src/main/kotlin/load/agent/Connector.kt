package threadgauge.load.agent

import io.netty.channel.EventLoop
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.NANOSECONDS
import threadgauge.load.http.Slot

/**
 * Opens [count] connections before a load begins, at a limited pace or all [atOnce]. The kernel completes a connection
 * before the server accepts it, so nothing else would slow a client down. The accept queue of a server is short (100 in
 * Tomcat by default); when it is full, connection attempts are dropped, and TCP repeats them only after a second (RFC
 * 6298, section 2).
 *
 * Belongs to one event loop.
 */
internal class Connector(
    private val loop: EventLoop,
    private val count: Int,
    private val atOnce: Boolean,
    private val newSlot: (index: Int) -> Slot,
) {
    val slots = ArrayList<Slot>()
    private val opened = CompletableFuture<Unit>()
    private var started = 0
    private var settled = 0

    /** Starts connecting, from any thread. The result completes when every attempt has ended, successful or not. */
    fun open(): CompletableFuture<Unit> {
        loop.execute {
            repeat(count) { slots += newSlot(it) }
            if (count == 0) opened.complete(Unit) else openMore()
        }
        return opened
    }

    /** To be called when an attempt to connect has ended. */
    fun settled() {
        if (++settled == count) opened.complete(Unit)
    }

    private fun openMore() {
        repeat(minOf(if (atOnce) count else AT_A_TIME, count - started)) { slots[started++].connect() }
        if (started < count) loop.schedule(::openMore, PAUSE_NANOS, NANOSECONDS)
    }
}

/**
 * Ten connections every five milliseconds are 2,000 per second: a server that stops accepting for 50 ms, for instance
 * to collect garbage, does not overflow a queue of 100.
 */
internal const val AT_A_TIME = 10
internal const val PAUSE_NANOS = 5_000_000L

/** Pace at which one event loop opens connections. */
internal const val CONNECTIONS_PER_NANO = AT_A_TIME.toDouble() / PAUSE_NANOS
