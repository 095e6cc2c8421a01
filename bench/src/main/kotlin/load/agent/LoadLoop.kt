package threadgauge.load.agent

import io.netty.channel.EventLoop
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit.NANOSECONDS
import threadgauge.load.http.Client
import threadgauge.load.http.Slot
import threadgauge.load.record.HistogramPool
import threadgauge.load.record.LoadRecorder
import threadgauge.load.record.NANOS_PER_SECOND
import threadgauge.load.record.SecondRecord
import threadgauge.load.schedule.Schedule
import threadgauge.model.Outcome

/**
 * Carries out one event loop's share of a load: owns its slice of the schedule, its connections and its recorder.
 * Nothing is handed to another thread while requests run; [active] and [answered] are copies for progress only.
 *
 * Lifecycle: [prepare], [start], then [finished] completes. All three begin from any thread and go on inside the loop.
 */
internal class LoadLoop(
    private val loop: EventLoop,
    private val task: LoopTask,
    private val order: WorkOrder,
    newClient: (Slot.Listener) -> Client,
    private val histograms: HistogramPool,
    private val onSeconds: (List<SecondRecord>) -> Unit,
) : Slot.Listener {
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

    private val client = newClient(this)
    private val isIdempotent = order.request.method in IDEMPOTENT
    private val connector = Connector(loop, task.connectFirst, order.connections.atOnce) { newSlot(it) }
    private val slots get() = connector.slots
    private val timeOuts = TimeOuts(slots, order.responseTimeoutNanos)
    private lateinit var arrivals: Arrivals
    private var startNanos = 0L
    private var countFromNanos = 0L
    private var endNanos = Long.MAX_VALUE

    /** Requests of the lead-in under way. */
    private var leadIn = 0
    private var over = false
    private lateinit var duty: Future<*>
    private var dutyNanos = 0L

    /** What was agreed on for encryption, without repetition. */
    val tls get() = client.tls

    /** What correct answers said and weighed. */
    val answers get() = client.answers

    /** Opens the connections that the load wants open beforehand. A refused one is tried again when it is needed. */
    fun prepare(): CompletableFuture<Unit> = connector.open()

    /** Begins the load at [startNanos], which may lie a little ahead. */
    fun start(startNanos: Long) = loop.execute {
        this.startNanos = startNanos
        countFromNanos = startNanos + order.leadInNanos
        recorder = LoadRecorder(countFromNanos, histograms)
        if (task.windowNanos > 0) endNanos = startNanos + task.windowNanos
        arrivals = when (val schedule = task.schedule) {
            null -> ClosedArrivals(loop, task, users(), startNanos, endNanos, recorder, order.seed, ::attempt)
            else -> {
                val pool =
                    SlotPool(slots, order.targets.size, task.connectionLimit, order.connections.atOnce, client::newSlot)
                OpenArrivals(loop, schedule, task, startNanos, lastSendNanos(schedule), pool, ::attempt)
            }
        }
        val wait = maxOf(0, startNanos - System.nanoTime())
        loop.schedule({ arrivals.begin(System.nanoTime()) }, wait, NANOSECONDS)
        dutyNanos = System.nanoTime() + wait
        duty = loop.scheduleWithFixedDelay(::duty, wait + DUTY_NANOS, DUTY_NANOS, NANOSECONDS)
    }

    /**
     * What comes late may not be sent after the window, except for a burst at its very end: that has all the time of a
     * drain.
     */
    private fun lastSendNanos(schedule: Schedule): Long {
        val burstAtEnd =
            task.windowNanos > 0 && schedule.size > 0 && schedule.intendedNanos(schedule.size - 1) >= task.windowNanos
        return if (burstAtEnd) endNanos + order.drainNanos else endNanos
    }

    /** Slots go to the targets in turn. */
    private fun newSlot(index: Int) = client.newSlot((task.part + index * task.parts) % order.targets.size)

    /** A slot for each user; those whose connection was not opened beforehand open it with their first request. */
    private fun users(): List<Slot> = slots.also { while (it.size < task.users) it += newSlot(it.size) }

    /** A request meant for [intendedNanos] is to leave on [slot] as soon as that is open. */
    private fun attempt(slot: Slot, intendedNanos: Long, nowNanos: Long) {
        slot.intendedNanos = intendedNanos
        slot.counts = intendedNanos >= countFromNanos
        slot.repeated = false
        if (slot.state == Slot.State.IDLE) return send(slot, nowNanos)
        slot.wanted = true
        if (slot.state == Slot.State.CLOSED) slot.connect()
    }

    private fun send(slot: Slot, nowNanos: Long) {
        slot.wanted = false
        if (slot.repeated) {
            if (slot.counts) recorder.repeated()
        } else {
            slot.sentNanos = nowNanos
            sent(slot, nowNanos)
        }
        slot.send()
    }

    private fun sent(slot: Slot, nowNanos: Long) {
        if (slot.counts) recorder.sent(slot.intendedNanos, nowNanos) else leadIn++
    }

    /**
     * Once for each request, because what failed twice may fail for ever (RFC 9110, section 9.2.2). It keeps its
     * intended time, and the time of its first sending.
     */
    private fun mayRepeat(slot: Slot, outcome: Outcome): Boolean {
        if (!order.connections.repeatUnprocessed || slot.repeated || slot.wanted || over) return false
        return outcome == Outcome.UNPROCESSED || outcome == Outcome.KEPT_CONNECTION_CLOSED && isIdempotent
    }

    override fun connected(slot: Slot, opened: Boolean) {
        if (opened) connectionsOpened++
        if (slot.wanted) send(slot, System.nanoTime())
        connector.settled()
    }

    override fun answered(slot: Slot, outcome: Outcome?) {
        val now = System.nanoTime()
        when {
            !slot.counts -> leadIn--
            outcome == null -> recorder.answered(slot.intendedNanos, slot.sentNanos, now)
            else -> recorder.failed(slot.intendedNanos, now, outcome)
        }
        // Also of requests that were sent before the window: in a steady state as many reach into it as out of it.
        if (outcome == null && now in countFromNanos..endNanos) answeredInWindow++
        endedNanos = now
        arrivals.free(slot, now, calm = true)
        finishIfDone(now)
    }

    override fun failed(slot: Slot, outcome: Outcome) {
        connector.settled()
        if (!this::recorder.isInitialized) return
        if (mayRepeat(slot, outcome)) {
            slot.repeated = true
            slot.wanted = true
            return slot.connect()
        }
        val now = System.nanoTime()
        if (slot.wanted) {
            // It never left, but it was tried, and its failure is an answer to the caller.
            slot.wanted = false
            if (!slot.repeated) sent(slot, now)
        }
        if (slot.counts) recorder.failed(slot.intendedNanos, now, outcome) else leadIn--
        endedNanos = now
        arrivals.free(slot, now, calm = false)
        finishIfDone(now)
    }

    override fun closedWhileIdle(slot: Slot) = Unit

    /** Every ten milliseconds: how late are we, who has waited too long, which seconds are complete, is it over? */
    private fun duty() {
        if (over) return
        val now = System.nanoTime()
        if (now >= countFromNanos) lagNanosMax = maxOf(lagNanosMax, now - dutyNanos - DUTY_NANOS)
        dutyNanos = now
        timeOuts.look(now)
        active = recorder.active
        answered = recorder.answered
        failed = recorder.failures.sum()
        recorder.takeClosed(now, arrivals.nextIntendedNanos(now)).takeIf { it.isNotEmpty() }?.let(onSeconds)
        finishIfDone(now)
    }

    private fun finishIfDone(nowNanos: Long) {
        val timed = task.windowNanos > 0
        if (over || (timed && nowNanos < endNanos)) return
        val lastNanos = if (timed) endNanos + order.drainNanos else startNanos + MAX_UNTIMED_NANOS
        val drained =
            arrivals.isOver(nowNanos) && recorder.active == 0 && leadIn == 0 && slots.none { it.wanted }
        if (drained || nowNanos >= lastNanos) finish(nowNanos)
    }

    private fun finish(nowNanos: Long) {
        over = true
        duty.cancel(false)
        for (slot in slots) {
            val waits = slot.wanted
            if (slot.counts && waits && !slot.repeated) recorder.unsent(slot.intendedNanos, nowNanos)
            if (slot.counts && (waits && slot.repeated || slot.state == Slot.State.BUSY)) {
                recorder.unfinished(slot.intendedNanos, nowNanos)
            }
            slot.close()
        }
        arrivals.unsent { if (it >= countFromNanos) recorder.unsent(it, nowNanos) }
        if (endNanos != Long.MAX_VALUE) endedNanos = endNanos
        onSeconds(recorder.takeRest())
        client.close()
        finished.complete(this)
    }
}

/** Methods that may be sent twice (RFC 9110, section 9.2.2). */
private val IDEMPOTENT = setOf("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE")
private const val DUTY_NANOS = 10_000_000L

/** A load of users and loops has no window; this ends one that a dead server would hold for ever. */
private const val MAX_UNTIMED_NANOS = 3_600 * NANOS_PER_SECOND
