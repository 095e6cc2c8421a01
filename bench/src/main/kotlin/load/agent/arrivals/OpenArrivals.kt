package threadgauge.load.agent.arrivals

import io.netty.channel.EventLoop
import java.util.concurrent.TimeUnit.NANOSECONDS
import threadgauge.load.agent.LoopTask
import threadgauge.load.agent.SlotPool
import threadgauge.load.http.Slot
import threadgauge.load.schedule.Schedule

/**
 * Open load: requests arrive whether or not earlier ones were answered. If no slot is free, requests wait and keep
 * their intended time. Because the schedule is a pure function, the queue of waiting requests is a single number, the
 * next one to be sent.
 *
 * A request that still has no slot at [lastSendNanos] stays unsent. One that has a slot is sent by the last wake-up,
 * however late the machine runs it: otherwise a delay of the bench would be reported as a request that the server had
 * no capacity for.
 */
internal class OpenArrivals(
    private val loop: EventLoop,
    private val schedule: Schedule,
    private val task: LoopTask,
    private val startNanos: Long,
    private val lastSendNanos: Long,
    private val pool: SlotPool,
    private val attempt: Attempt,
) : Arrivals {
    private var next = 0L
    private var nextNanos = intended(0)
    private var over = false

    /** A request is due, but there was no slot for it. */
    private var starved = false
    private val wakeUp = Runnable { tick() }

    override fun isOver(nowNanos: Long) = over

    override fun begin(nowNanos: Long) {
        if (task.quantumNanos > 0) pulse() else tick()
    }

    override fun free(slot: Slot, nowNanos: Long, calm: Boolean, restNanos: Long) {
        pool.give(slot)
        if ((starved || !task.dense) && nextNanos <= nowNanos && nowNanos < lastSendNanos) sendDue(nowNanos)
    }

    /** Another user may come and take the slot. */
    override fun leave(slot: Slot, nowNanos: Long) = free(slot, nowNanos, calm = true, restNanos = 0)

    override fun nextIntendedNanos(nowNanos: Long) = nextNanos

    override fun unsent(each: (Long) -> Unit) {
        over = true
        for (k in next..<schedule.size) each(intended(k))
    }

    /** One timer for the whole load: a new timer for each wake-up would be the only allocation of the hot path. */
    private fun pulse() {
        val timer = loop.scheduleWithFixedDelay({ sendAllDue() }, 0, task.quantumNanos, NANOSECONDS)
        loop.schedule(
            { timer.cancel(false) }, maxOf(0, lastSendNanos - System.nanoTime()) + task.quantumNanos, NANOSECONDS,
        )
    }

    private fun tick() {
        sendAllDue()
        if (over) return
        val wait = maxOf(minOf(nextNanos, lastSendNanos) - System.nanoTime(), SHORTEST_WAIT_NANOS)
        loop.schedule(wakeUp, wait, NANOSECONDS)
    }

    private fun sendAllDue() {
        if (over) return
        val now = System.nanoTime()
        sendDue(now)
        over = next == schedule.size || now >= lastSendNanos
    }

    private fun sendDue(nowNanos: Long) {
        while (nextNanos <= nowNanos) {
            val number = task.part + next * task.parts
            val slot = pool.take(number, nowNanos)
            starved = slot == null
            if (slot == null) return
            val intendedNanos = nextNanos
            next++
            nextNanos = intended(next)
            slot.number = number
            attempt.attempt(slot, intendedNanos, System.nanoTime())
        }
    }

    private fun intended(k: Long) = if (k < schedule.size) startNanos + schedule.intendedNanos(k) else Long.MAX_VALUE
}

/** If every slot is busy, the schedule is behind; looking again sooner than this would only burn CPU. */
private const val SHORTEST_WAIT_NANOS = 50_000L
