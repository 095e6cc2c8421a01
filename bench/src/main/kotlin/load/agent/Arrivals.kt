package threadgauge.load.agent

import io.netty.channel.EventLoop
import threadgauge.load.http.Connection
import threadgauge.load.schedule.Schedule
import java.util.concurrent.TimeUnit.NANOSECONDS

/** Decides when the next request leaves, and on which connection. Belongs to one event loop. */
internal sealed interface Arrivals {
    fun begin(nowNanos: Long)

    /** [connection] has nothing to do. Not [calm] means that its last request failed for want of a working server. */
    fun free(connection: Connection, nowNanos: Long, calm: Boolean)

    /** No request intended before this time is still to be sent. */
    fun nextIntendedNanos(nowNanos: Long): Long

    /** Nothing more will be sent. */
    fun isOver(nowNanos: Long): Boolean

    /** Calls [each] with the intended time of every request that was due and never left. */
    fun unsent(each: (Long) -> Unit)
}

/** Sends [Connection] a request that is meant for the first time given, now being the second. */
internal typealias Attempt = (Connection, Long, Long) -> Unit

/** Users who wait for an answer before they ask again; each has a connection of its own. */
internal class ClosedArrivals(
    private val loop: EventLoop,
    private val task: LoopTask,
    private val users: List<Connection>,
    private val endNanos: Long,
    private val attempt: Attempt,
) : Arrivals {
    private var usersLeft = users.size

    override fun isOver(nowNanos: Long) = usersLeft == 0 || nowNanos >= endNanos

    override fun begin(nowNanos: Long) = users.forEach {
        it.loopsLeft = task.loops ?: Int.MAX_VALUE
        ask(it, nowNanos)
    }

    override fun free(connection: Connection, nowNanos: Long, calm: Boolean) {
        when {
            connection.loopsLeft == 0 -> usersLeft--
            calm -> ask(connection, nowNanos)
            else -> loop.schedule({ ask(connection, System.nanoTime()) }, CALM_NANOS, NANOSECONDS)
        }
    }

    override fun nextIntendedNanos(nowNanos: Long) = nowNanos

    override fun unsent(each: (Long) -> Unit) = Unit

    private fun ask(user: Connection, nowNanos: Long) {
        if (nowNanos >= endNanos) return
        if (task.loops != null) user.loopsLeft--
        attempt(user, nowNanos, nowNanos)
    }
}

/**
 * Requests that arrive whether or not earlier ones were answered. With no free connection the *intended time* waits: since
 * the schedule is a pure function, the queue of waiting requests is one number, the next to be sent. At the end of the
 * window what still waits is left unsent.
 */
internal class OpenArrivals(
    private val loop: EventLoop,
    private val schedule: Schedule,
    private val task: LoopTask,
    private val startNanos: Long,
    private val endNanos: Long,
    connections: MutableList<Connection>,
    newConnection: () -> Connection,
    private val attempt: Attempt,
) : Arrivals {
    private val pool = ConnectionPool(connections, task.connectionLimit, newConnection)
    private var next = 0L
    private var nextNanos = intended(0)

    private var over = false

    override fun isOver(nowNanos: Long) = over

    override fun begin(nowNanos: Long) = tick()

    override fun free(connection: Connection, nowNanos: Long, calm: Boolean) {
        pool.give(connection)
        if (nextNanos <= nowNanos && nowNanos < endNanos) sendDue(nowNanos)
    }

    override fun nextIntendedNanos(nowNanos: Long) = nextNanos

    override fun unsent(each: (Long) -> Unit) {
        for (k in next..<schedule.size) each(intended(k))
    }

    private fun tick() {
        val now = System.nanoTime()
        sendDue(now)
        over = next == schedule.size || now >= endNanos
        if (over) return
        val wait = maxOf(minOf(nextNanos, endNanos) - System.nanoTime(), task.quantumNanos, SHORTEST_WAIT_NANOS)
        loop.schedule(::tick, wait, NANOSECONDS)
    }

    private fun sendDue(nowNanos: Long) {
        while (nextNanos <= nowNanos) {
            val connection = pool.take() ?: return
            val intendedNanos = nextNanos
            next++
            nextNanos = intended(next)
            attempt(connection, intendedNanos, System.nanoTime())
        }
    }

    private fun intended(k: Long) = if (k < schedule.size) startNanos + schedule.intendedNanos(k) else Long.MAX_VALUE
}

/** The free connections of an open load, the last used first; opens more up to [limit]. */
private class ConnectionPool(
    private val all: MutableList<Connection>,
    private val limit: Int,
    private val newConnection: () -> Connection,
) {
    private val free = ArrayDeque(all)

    fun take(): Connection? = free.removeLastOrNull() ?: if (all.size < limit) newConnection().also { all += it } else null

    fun give(connection: Connection) = free.addLast(connection)
}

/** A user whose request could not be served waits this long, so that a dead server is not met with a storm. */
private const val CALM_NANOS = 10_000_000L

/** While every connection is busy the schedule is behind; looking again sooner than this would only burn the core. */
private const val SHORTEST_WAIT_NANOS = 50_000L
