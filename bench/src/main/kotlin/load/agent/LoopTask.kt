package threadgauge.load.agent

import threadgauge.load.record.NANOS_PER_SECOND
import threadgauge.load.schedule.Burst
import threadgauge.load.schedule.ConstantRate
import threadgauge.load.schedule.LinearRamp
import threadgauge.load.schedule.Poisson
import threadgauge.load.schedule.Schedule
import threadgauge.load.schedule.Steps
import threadgauge.model.Load
import threadgauge.model.fastestPerSecond

/** One event loop's share of a work order, in numbers. Either [users] are set (closed load) or [schedule] is (open load). */
internal class LoopTask(
    val users: Int,
    /** Requests of each user, or null where the window limits them. */
    val loops: Int?,
    val schedule: Schedule?,
    /** 0 where the load ends with its last request. */
    val windowNanos: Long,
    val connectionLimit: Int,
    /** Connections to open before the window begins. */
    val connectFirst: Int,
    /** Shortest time between two wake-ups of the schedule. */
    val quantumNanos: Long,
)

/** Cuts [order] into the share of event loop [index] of [of]. Shares add up to the slice, as slices add up to the load. */
internal fun loopTask(order: WorkOrder, index: Int, of: Int): LoopTask {
    val part = order.slice + index * order.slices
    val parts = of * order.slices
    val limit = maxOf(1, share(order.connections.most, part, parts))
    fun closed(users: Int, loops: Int?, window: Long) =
        share(users, part, parts).let { LoopTask(it, loops, null, window, it, it, 0) }

    fun open(schedule: Schedule, perSecond: Double) =
        LoopTask(0, null, schedule.slice(part, parts), schedule.lengthNanos, limit, 0, quantumNanos(perSecond / parts))
    return when (val load = order.load) {
        is Load.Users -> closed(load.users, null, load.forNanos)
        is Load.Loops -> closed(load.users, load.loops, 0)
        is Load.Burst -> share(load.requests, part, parts).let { mine ->
            val schedule = Burst(load.requests.toLong()).slice(part, parts)
            LoopTask(0, null, schedule, 0, mine, if (load.connected) mine else 0, 0)
        }
        is Load.Open -> open(scheduleOf(load), load.fastestPerSecond)
    }
}

private fun scheduleOf(load: Load.Open): Schedule = when (load) {
    is Load.Rate -> ConstantRate(load.ratePerSecond, load.forNanos)
    is Load.Poisson -> Poisson(load.ratePerSecond, load.forNanos, load.seed)
    is Load.Ramp -> LinearRamp(load.fromPerSecond, load.toPerSecond, load.forNanos)
    is Load.Burst -> Burst(load.requests.toLong())
    is Load.Steps -> Steps(load.parts.map(::scheduleOf))
}

private fun share(whole: Int, part: Int, parts: Int) = (whole - part + parts - 1) / parts

/**
 * Up to 1,000 requests per second the loop wakes for each of them, as exactly as the kernel's timer allows. Above that
 * a wake-up serves all requests that are due, at most every 200 µs: it adds 100 µs of delay on average, which is kept
 * in every latency (they run from the intended time), and saves most of the cost of waking.
 */
private fun quantumNanos(perSecond: Double) = if (perSecond <= EXACT_RATE) 0L else NANOS_PER_SECOND / 5_000

private const val EXACT_RATE = 1_000.0
