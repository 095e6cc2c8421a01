package threadgauge.load.agent

import io.netty.channel.EventLoop
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit.NANOSECONDS
import threadgauge.load.agent.arrivals.Arrivals
import threadgauge.load.agent.arrivals.CALM_NANOS
import threadgauge.load.agent.arrivals.ClosedArrivals
import threadgauge.load.agent.arrivals.Courses
import threadgauge.load.agent.arrivals.OpenArrivals
import threadgauge.load.http.Client
import threadgauge.load.http.Slot
import threadgauge.load.record.HistogramPool
import threadgauge.load.record.LoadRecorder
import threadgauge.load.record.NANOS_PER_SECOND
import threadgauge.load.record.SecondRecord
import threadgauge.model.Outcome

/**
 * Carries out one event loop's share of a load: owns its slice of the schedule, its connections and its recorder.
 * Nothing is passed to another thread while requests are under way; [active], [answered] and [failed] are copies for
 * the progress report only.
 *
 * Lifecycle: [prepare], [start], then [finished] completes. They may be called from any thread and continue on the
 * loop.
 */
internal class LoadLoop(
    private val loop: EventLoop,
    private val task: LoopTask,
    private val order: WorkOrder,
    newClient: (Slot.Listener) -> Client,
    private val histograms: HistogramPool,
    private val onSeconds: (List<SecondRecord>) -> Unit,
) : Slot.Listener {
    /** Completes when the load is over and all connections are closed. The fields below are then final. */
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

    /** Set once, in [start], before the first request. */
    lateinit var recorder: LoadRecorder
        private set

    /** Correct answers that arrived in the window. */
    var answeredInWindow = 0L
        private set
    var connectionsOpened = 0L
        private set

    /** The longest delay of a periodic task of the loop after the lead-in, in nanoseconds. */
    var lagNanosMax = 0L
        private set

    /** `System.nanoTime` of the end of the window; of the last answer or failure, if the load has no window. */
    var endedNanos = 0L
        private set

    private val client = newClient(this)

    /** Null where users repeat one request. */
    private val courses = if (order.scenarios.isEmpty()) null else
        Courses(order.scenarios, client.questions, order.seed, task.part)

    /** Next steps that wait for the end of a pause. */
    private var pausing = 0
    private val connector = Connector(loop, task.connectFirst, order.connections.atOnce) { newSlot(it) }
    private val slots get() = connector.slots
    private val timeOuts = TimeOuts(slots, order.responseTimeoutNanos)
    private lateinit var arrivals: Arrivals
    private var startNanos = 0L
    private var countFromNanos = 0L
    private var endNanos = Long.MAX_VALUE

    /** Requests of the lead-in that are under way. */
    private var leadIn = 0
    private var over = false
    private lateinit var duty: Future<*>
    private var dutyNanos = 0L

    /** The TLS parameters that connections agreed on, without duplicates. */
    val tls get() = client.tls

    /** Check answers, and count what correct ones contain. */
    val answers get() = client.answers

    /** Of each scenario, in their order; empty without scenarios. */
    val scenarios get() = courses?.recorders.orEmpty()

    /**
     * Opens the connections that the load needs from its start. One that is refused is tried again when it is needed.
     */
    fun prepare(): CompletableFuture<Unit> = connector.open()

    /** Begins the load at [startNanos] of `System.nanoTime`, now or a little later. */
    fun start(startNanos: Long) = loop.execute {
        this.startNanos = startNanos
        countFromNanos = startNanos + order.leadInNanos
        recorder = LoadRecorder(countFromNanos, histograms)
        if (task.windowNanos > 0) endNanos = startNanos + task.windowNanos
        answers.forEach { it.stream?.window(countFromNanos, endNanos) }
        arrivals = when (val schedule = task.schedule) {
            null -> ClosedArrivals(loop, task, users(), startNanos, endNanos, recorder, order.seed, ::attempt)
            else -> {
                val pool =
                    SlotPool(slots, order.targets.size, task.connectionLimit, order.connections.atOnce, client::newSlot)
                OpenArrivals(loop, schedule, task, startNanos, lastSendNanos(), pool, ::attempt)
            }
        }
        val wait = maxOf(0, startNanos - System.nanoTime())
        loop.schedule({ arrivals.begin(System.nanoTime()) }, wait, NANOSECONDS)
        dutyNanos = System.nanoTime() + wait
        duty = loop.scheduleWithFixedDelay(::duty, wait + DUTY_NANOS, DUTY_NANOS, NANOSECONDS)
    }

    /** Late requests are not sent after the window, but for those of a burst at its very end, during the drain. */
    private fun lastSendNanos() = if (task.endsInBurst) endNanos + order.lastWaitNanos else endNanos

    /** Slots are assigned to the targets in turn. */
    private fun newSlot(index: Int) = client.newSlot((task.part + index * task.parts) % order.targets.size)

    /** A slot for each user. A connection that was not opened beforehand is opened with the user's first request. */
    private fun users(): List<Slot> = slots.also { while (it.size < task.users) it += newSlot(it.size) }

    /** Begins what a user does at [intendedNanos]: a request, or the first of a scenario. */
    private fun attempt(slot: Slot, intendedNanos: Long, nowNanos: Long) {
        courses?.begin(slot, intendedNanos, counts = intendedNanos >= countFromNanos)
        ask(slot, intendedNanos, nowNanos)
    }

    /** Sends a request intended for [intendedNanos] on [slot] as soon as that is open. */
    private fun ask(slot: Slot, intendedNanos: Long, nowNanos: Long) {
        courses?.pose(slot)
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
     * At most once per request, because what fails twice may fail forever (RFC 9110, section 9.2.2). The request keeps
     * its intended time and the time at which it was first sent.
     */
    private fun mayRepeat(slot: Slot, outcome: Outcome): Boolean {
        if (!order.connections.repeatUnprocessed || slot.repeated || slot.wanted || over) return false
        return outcome == Outcome.UNPROCESSED || outcome == Outcome.KEPT_CONNECTION_CLOSED && slot.question.isIdempotent
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
        courses?.answered(slot, outcome, now)
        // Includes requests sent before the window: in a steady state as many overlap its start as its end.
        if (outcome == null && now in countFromNanos..endNanos) answeredInWindow++
        endedNanos = now
        goOn(slot, outcome == null, now, calm = true)
        finishIfDone(now)
    }

    /** The user of [slot] goes on with the next step, or is done. */
    private fun goOn(slot: Slot, succeeded: Boolean, nowNanos: Long, calm: Boolean) {
        val pause = courses?.next(slot, succeeded, nowNanos) ?: -1
        if (pause < 0) return arrivals.free(slot, nowNanos, calm, courses?.restNanos ?: 0)
        val intendedNanos = nowNanos + if (calm) pause else maxOf(pause, CALM_NANOS)
        when {
            intendedNanos >= endNanos -> {
                courses!!.cut(slot, nowNanos)
                arrivals.leave(slot, nowNanos)
            }
            intendedNanos == nowNanos -> ask(slot, nowNanos, nowNanos)
            else -> pause(slot, intendedNanos)
        }
    }

    private fun pause(slot: Slot, intendedNanos: Long) {
        recorder.expect(intendedNanos)
        pausing++
        val fire = {
            pausing--
            recorder.expectNoMore(intendedNanos)
            if (!over) ask(slot, intendedNanos, System.nanoTime())
        }
        loop.schedule(fire, intendedNanos - System.nanoTime(), NANOSECONDS)
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
            // The request was never sent, but it was attempted, and its failure is the result for the user.
            slot.wanted = false
            if (!slot.repeated) sent(slot, now)
        }
        if (slot.counts) recorder.failed(slot.intendedNanos, now, outcome) else leadIn--
        courses?.answered(slot, outcome, now)
        endedNanos = now
        goOn(slot, succeeded = false, now, calm = false)
        finishIfDone(now)
    }

    override fun closedWhileIdle(slot: Slot) = Unit

    /**
     * Runs every ten milliseconds: measures the lag of the loop, times out requests, passes on complete seconds, and
     * ends the load.
     */
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
        val lastNanos = if (timed) endNanos + order.lastWaitNanos else startNanos + MAX_UNTIMED_NANOS
        val drained =
            arrivals.isOver(nowNanos) && recorder.active == 0 && leadIn == 0 && pausing == 0 && slots.none { it.wanted }
        if (drained || nowNanos >= lastNanos) finish(nowNanos)
    }

    private fun finish(nowNanos: Long) {
        over = true
        duty.cancel(false)
        for (slot in slots) {
            val waits = slot.wanted
            val isUnsent = waits && !slot.repeated
            if (slot.counts && isUnsent) recorder.unsent(slot.intendedNanos, nowNanos)
            val isUnfinished = waits && slot.repeated || slot.state == Slot.State.BUSY
            // A stream that may have no end, and has had messages, is no request without an answer.
            val isOpen = order.isEndless && isUnfinished && !waits && (slot.body.tap?.messages ?: 0) > 0
            if (isOpen) answeredInWindow++
            if (slot.counts && isOpen) recorder.answered(slot.intendedNanos, slot.sentNanos, nowNanos)
            else if (slot.counts && isUnfinished) recorder.unfinished(slot.intendedNanos, nowNanos)
            courses?.cut(slot, nowNanos, isUnsent, isUnfinished)
            slot.close()
        }
        arrivals.unsent { if (it >= countFromNanos) recorder.unsent(it, nowNanos) }
        if (endNanos != Long.MAX_VALUE) endedNanos = endNanos
        onSeconds(recorder.takeRest())
        client.close()
        finished.complete(this)
    }
}

private const val DUTY_NANOS = 10_000_000L

/** Ends a load without a window, which a dead server would otherwise keep alive forever. */
private const val MAX_UNTIMED_NANOS = 3_600 * NANOS_PER_SECOND
