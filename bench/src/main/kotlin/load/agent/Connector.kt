package threadgauge.load.agent

import io.netty.channel.EventLoop
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.NANOSECONDS
import threadgauge.load.http.Slot

/**
 * Opens [count] connections before a load begins, at a measured pace or all [atOnce]. The kernel completes a connection
 * before the server has accepted it, so nothing else holds a client back; a server queues only so many (Tomcat 100 by
 * default), and drops the rest, for which TCP tries again after a whole second.
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

    /** Completes when every attempt has come to its end, well or not. Begins from any thread. */
    fun open(): CompletableFuture<Unit> {
        loop.execute {
            repeat(count) { slots += newSlot(it) }
            if (count == 0) opened.complete(Unit) else openMore()
        }
        return opened
    }

    /** An attempt to connect came to its end. */
    fun settled() {
        if (++settled == count) opened.complete(Unit)
    }

    private fun openMore() {
        repeat(minOf(if (atOnce) count else AT_A_TIME, count - started)) { slots[started++].connect() }
        if (started < count) loop.schedule(::openMore, PAUSE_NANOS, NANOSECONDS)
    }
}

/**
 * Ten every five milliseconds are 2,000 per second: a server that stops accepting for 50 ms, to compile or to collect,
 * does not yet lose one of a queue of 100.
 */
internal const val AT_A_TIME = 10
internal const val PAUSE_NANOS = 5_000_000L

/** The pace of one event loop that opens connections. */
internal const val CONNECTIONS_PER_NANO = AT_A_TIME.toDouble() / PAUSE_NANOS
