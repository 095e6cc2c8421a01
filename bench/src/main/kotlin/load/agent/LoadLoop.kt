package threadgauge.load.agent

import io.netty.bootstrap.Bootstrap
import io.netty.buffer.ByteBuf
import io.netty.channel.EventLoop
import threadgauge.load.http.Connection
import threadgauge.load.record.LoadRecorder
import threadgauge.load.record.NANOS_PER_SECOND
import threadgauge.load.record.SecondRecord
import threadgauge.model.Outcome
import java.net.SocketAddress
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit.NANOSECONDS

/**
 * Carries out one event loop's share of a load: owns its slice of the schedule, its connections and its recorder. Nothing is
 * handed to another thread while requests run; [active] and [answered] are copies for progress only.
 *
 * Lifecycle: [prepare], [start], then [finished] completes. All three begin from any thread and go on inside the loop.
 */
internal class LoadLoop(
    private val loop: EventLoop,
    private val task: LoopTask,
    private val order: WorkOrder,
    bootstrap: Bootstrap,
    address: SocketAddress,
    request: ByteBuf,
    expectedBody: ByteArray?,
    private val onSeconds: (List<SecondRecord>) -> Unit,
) : Connection.Listener {
    val finished = CompletableFuture<LoadLoop>()

    @Volatile
    var active = 0
        private set

    @Volatile
    var answered = 0L
        private set

    @Volatile
    var failed = 0L
        private set

    /** Set once, in [start], before any request. */
    lateinit var recorder: LoadRecorder
        private set
    var answeredInWindow = 0L
        private set
    var connectionsOpened = 0L
        private set
    var lagNanosMax = 0L
        private set

    /** When the last request ended, or the window, whichever is later. */
    var endedNanos = 0L
        private set

    private val scratch = ByteArray(SCRATCH_BYTES)
    private val newConnection = { Connection(bootstrap, address, request, scratch, expectedBody, order.request.method == "HEAD", this) }
    private val connector = Connector(loop, task.connectFirst, newConnection)
    private val connections get() = connector.connections
    private lateinit var arrivals: Arrivals
    private var startNanos = 0L
    private var endNanos = Long.MAX_VALUE
    private var over = false

    /** Opens the connections that the load wants open beforehand. A refused one is tried again when it is needed. */
    fun prepare(): CompletableFuture<Unit> = connector.open()

    /** Begins the window at [startNanos], which may lie a little ahead. */
    fun start(startNanos: Long) = loop.execute {
        this.startNanos = startNanos
        recorder = LoadRecorder(startNanos)
        if (task.windowNanos > 0) endNanos = startNanos + task.windowNanos
        arrivals = when (val schedule = task.schedule) {
            null -> ClosedArrivals(loop, task, connections, endNanos, ::attempt)
            else -> OpenArrivals(loop, schedule, task, startNanos, endNanos, connections, newConnection, ::attempt)
        }
        val wait = maxOf(0, startNanos - System.nanoTime())
        loop.schedule({ arrivals.begin(System.nanoTime()) }, wait, NANOSECONDS)
        loop.schedule({ duty(System.nanoTime()) }, wait + DUTY_NANOS, NANOSECONDS)
    }

    /** A request meant for [intendedNanos] is to leave on [connection] as soon as that is open. */
    private fun attempt(connection: Connection, intendedNanos: Long, nowNanos: Long) {
        connection.intendedNanos = intendedNanos
        if (connection.state == Connection.State.IDLE) return send(connection, nowNanos)
        connection.wanted = true
        if (connection.state == Connection.State.CLOSED) connection.connect()
    }

    private fun send(connection: Connection, nowNanos: Long) {
        connection.wanted = false
        connection.sentNanos = nowNanos
        recorder.sent(connection.intendedNanos, nowNanos)
        connection.send()
    }

    override fun connected(connection: Connection) {
        connectionsOpened++
        if (connection.wanted) send(connection, System.nanoTime())
        connector.settled()
    }

    override fun answered(connection: Connection, status: Int, bodyMatches: Boolean) {
        val now = System.nanoTime()
        val outcome = outcomeOf(status, bodyMatches)
        if (outcome == null) {
            recorder.answered(connection.intendedNanos, connection.sentNanos, now)
            if (now <= endNanos) answeredInWindow++
        } else {
            recorder.failed(connection.intendedNanos, now, outcome)
        }
        endedNanos = now
        arrivals.free(connection, now, calm = true)
        finishIfDone(now)
    }

    override fun failed(connection: Connection, outcome: Outcome) {
        connector.settled()
        if (!this::recorder.isInitialized) return
        val now = System.nanoTime()
        if (connection.wanted) {
            // It never left, but it was tried, and its failure is an answer to the caller.
            connection.wanted = false
            recorder.sent(connection.intendedNanos, now)
        }
        recorder.failed(connection.intendedNanos, now, outcome)
        endedNanos = now
        arrivals.free(connection, now, calm = false)
        finishIfDone(now)
    }

    override fun closedWhileIdle(connection: Connection) = Unit

    /** Every ten milliseconds: how late are we, who has waited too long, which seconds are complete, is it over? */
    private fun duty(dueNanos: Long) {
        if (over) return
        val now = System.nanoTime()
        lagNanosMax = maxOf(lagNanosMax, now - dueNanos - DUTY_NANOS)
        val oldest = now - order.responseTimeoutNanos
        if (oldest > startNanos) abandonOlderThan(oldest)
        active = recorder.active
        answered = recorder.answered
        failed = recorder.failures.sum()
        recorder.takeClosed(now, arrivals.nextIntendedNanos(now)).takeIf { it.isNotEmpty() }?.let(onSeconds)
        finishIfDone(now)
        if (!over) loop.schedule({ duty(now) }, DUTY_NANOS, NANOSECONDS)
    }

    private fun abandonOlderThan(nanos: Long) {
        for (connection in connections) {
            if (connection.state == Connection.State.BUSY && connection.sentNanos < nanos) {
                connection.abandon(Outcome.RESPONSE_TIMEOUT)
            }
        }
    }

    private fun finishIfDone(nowNanos: Long) {
        val timed = task.windowNanos > 0
        if (over || (timed && nowNanos < endNanos)) return
        val lastNanos = if (timed) endNanos + order.drainNanos else startNanos + LONGEST_UNTIMED_NANOS
        val drained = arrivals.isOver(nowNanos) && recorder.active == 0 && connections.none { it.wanted }
        if (drained || nowNanos >= lastNanos) finish(nowNanos)
    }

    private fun finish(nowNanos: Long) {
        over = true
        for (connection in connections) {
            if (connection.wanted) recorder.unsent(connection.intendedNanos, nowNanos)
            if (connection.state == Connection.State.BUSY) recorder.unfinished(connection.intendedNanos, nowNanos)
            connection.close()
        }
        arrivals.unsent { recorder.unsent(it, nowNanos) }
        if (endNanos != Long.MAX_VALUE) endedNanos = endNanos
        onSeconds(recorder.takeRest())
        finished.complete(this)
    }

    private fun outcomeOf(status: Int, bodyMatches: Boolean) = when {
        status in 200..299 -> if (bodyMatches) null else Outcome.WRONG_BODY
        status in 400..499 -> Outcome.CLIENT_ERROR
        status >= 500 -> Outcome.SERVER_ERROR
        else -> Outcome.UNEXPECTED_STATUS
    }
}

private const val SCRATCH_BYTES = 64 * 1024
private const val DUTY_NANOS = 10_000_000L

/** A load of users and loops has no window; this ends one that a dead server would hold for ever. */
private const val LONGEST_UNTIMED_NANOS = 3_600 * NANOS_PER_SECOND
