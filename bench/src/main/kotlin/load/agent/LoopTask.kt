package threadgauge.load.agent

import threadgauge.load.record.NANOS_PER_SECOND
import threadgauge.load.schedule.Burst
import threadgauge.load.schedule.ConstantRate
import threadgauge.load.schedule.LinearRamp
import threadgauge.load.schedule.Poisson
import threadgauge.load.schedule.Schedule
import threadgauge.load.schedule.Steps
import threadgauge.model.Load
import threadgauge.model.Think
import threadgauge.model.fastestPerSecond

/** One event loop's share of a work order, in numbers. Either [users] are set (closed load) or [schedule] is (open load). */
internal class LoopTask(
    val users: Int,
    /** Requests of each user; -1 where the window limits them. */
    val loops: Long = -1,
    val think: Think? = null,
    /** Time over which the users of the whole load come in. */
    val rampInNanos: Long = 0,
    val schedule: Schedule? = null,
    /** 0 where the load ends with its last request. */
    val windowNanos: Long,
    val connectionLimit: Int,
    /** Connections to open before the window begins. */
    val connectFirst: Int,
    /** Shortest time between two wake-ups of the schedule. */
    val quantumNanos: Long = 0,
    /** Which of [parts] equal parts of the whole load this is, from 0. */
    val part: Int,
    val parts: Int,
) {
    /** When user [index] of this part begins, in nanoseconds after the start: users of all parts come in evenly. */
    fun comesInNanos(index: Int): Long {
        val usersOfAll = maxOf(1, users) * parts
        return (rampInNanos.toDouble() * (index * parts + part) / usersOfAll).toLong()
    }
}

/** Cuts [order] into the share of event loop [index] of [of]. Shares add up to the slice, as slices add up to the load. */
internal fun loopTask(order: WorkOrder, index: Int, of: Int): LoopTask {
    val part = order.slice + index * order.slices
    val parts = of * order.slices
    fun closed(users: Int, loops: Long, think: Think?, rampIn: Long, window: Long): LoopTask {
        val mine = share(users, part, parts)
        return LoopTask(
            users = mine, loops = loops, think = think, rampInNanos = rampIn, windowNanos = window, connectionLimit = mine,
            // Users who come in one after the other bring their connections with them.
            connectFirst = if (rampIn == 0L) mine else 0, part = part, parts = parts,
        )
    }
    return when (val load = order.load) {
        is Load.Users -> closed(load.users, -1, load.think, load.rampInNanos, load.forNanos)
        is Load.Loops -> closed(load.users, load.loops.toLong(), load.think, load.rampInNanos, 0)
        is Load.Open -> {
            val whole = scheduleOf(load)
            val burst = load as? Load.Burst
            val limit = share(burst?.requests ?: order.connections.most, part, parts)
            LoopTask(
                users = 0, schedule = whole.slice(part, parts), windowNanos = whole.lengthNanos,
                connectionLimit = if (burst == null) maxOf(1, limit) else limit,
                connectFirst = if (burst?.connected == true) limit else 0,
                quantumNanos = quantumNanos(load.fastestPerSecond / parts), part = part, parts = parts,
            )
        }
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
