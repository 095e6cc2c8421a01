package threadgauge.load.agent

import kotlin.math.ceil
import threadgauge.load.schedule.Burst
import threadgauge.load.schedule.ConstantRate
import threadgauge.load.schedule.LinearRamp
import threadgauge.load.schedule.Poisson
import threadgauge.load.schedule.Schedule
import threadgauge.load.schedule.Steps
import threadgauge.model.Load
import threadgauge.model.Think
import threadgauge.model.fastestPerSecond

/** One event loop's share of a work order. It has either [users] (closed load) or a [schedule] (open load). */
internal class LoopTask(
    val users: Int,
    /** Requests of each user; -1 if the window ends them. */
    val loops: Long = -1,
    val think: Think? = null,
    /** Time over which the users of the whole load start. */
    val rampInNanos: Long = 0,
    val schedule: Schedule? = null,
    /** Length of the load; 0 if it ends with its last request. */
    val windowNanos: Long,
    /** Most connections (on HTTP/2: streams) that this part may use. */
    val connectionLimit: Int,
    /** Connections to open before the load begins. */
    val connectFirst: Int,
    /** Shortest time between two wake-ups of the schedule; 0 if it wakes for each request. */
    val quantumNanos: Long = 0,
    /** Which of [parts] equal parts of the whole load this is, from 0. */
    val part: Int,
    val parts: Int,
) {
    /**
     * At this rate, waking for single requests would take most of the time. Requests then wait for the next wake-up
     * even while the loop is awake, so that they leave together and their answers come together.
     */
    val dense get() = quantumNanos >= DENSE_QUANTUM_NANOS

    /** The window has a burst at its very end, whose requests must leave after it. */
    val endsInBurst
        get() = schedule != null && windowNanos > 0 && schedule.size > 0 &&
            schedule.intendedNanos(schedule.size - 1) >= windowNanos

    /**
     * When user [index] of this part starts, in nanoseconds after the start of the load. The users of all parts start
     * evenly spaced.
     */
    fun comesInNanos(index: Int): Long {
        val usersOfAll = maxOf(1, users) * parts
        return (rampInNanos.toDouble() * (index * parts + part) / usersOfAll).toLong()
    }
}

/** The share of event loop [index] of [of] in [order]. The shares add up to the slice, as slices add up to the load. */
internal fun loopTask(order: WorkOrder, index: Int, of: Int): LoopTask {
    val part = order.slice + index * order.slices
    val parts = of * order.slices
    fun closed(users: Int, loops: Long, think: Think?, rampIn: Long, window: Long): LoopTask {
        val mine = share(users, part, parts)
        return LoopTask(
            users = mine, loops = loops, think = think, rampInNanos = rampIn, windowNanos = window,
            connectionLimit = mine,
            // Users who start one after the other open their connections with their first request.
            connectFirst = if (rampIn == 0L) mine else 0, part = part, parts = parts,
        )
    }
    return when (val load = order.load) {
        is Load.Users -> closed(load.users, -1, load.think, load.rampInNanos, load.forNanos)
        is Load.Loops -> closed(load.users, load.loops.toLong(), load.think, load.rampInNanos, 0)
        is Load.Open -> {
            val whole = scheduleOf(load)
            val burst = load as? Load.Burst
            val perSecond = load.fastestPerSecond / parts
            val limit = share(burst?.requests ?: order.connections.maxUnderWay, part, parts)
            LoopTask(
                users = 0, schedule = whole.slice(part, parts), windowNanos = whole.lengthNanos,
                connectionLimit = if (burst == null) maxOf(1, limit) else limit,
                connectFirst = when {
                    burst == null -> {
                        val ahead = order.connections.ahead?.let { share(it, part, parts) }
                        minOf(limit, ahead ?: connectionsAhead(perSecond))
                    }
                    burst.connected -> limit
                    else -> 0
                },
                quantumNanos = quantumNanos(perSecond), part = part, parts = parts,
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
 * Connections that an open load opens before it begins: as many as requests arrive in 50 ms. Opening one takes as long
 * as many requests, so a load that began without any would be late from its start.
 */
private fun connectionsAhead(perSecond: Double) = ceil(perSecond * AHEAD_SECONDS).toInt()

/**
 * Up to 1,000 requests per second the loop wakes for each of them, as accurately as the kernel's timer allows. Above
 * that, a wake-up sends all requests that are due: every 200 µs, or when an answer wakes the loop anyway; above 10,000
 * per second every 500 µs. This adds half a quantum of delay or more, which every latency includes, because latency
 * runs from the intended time. Decision 0012 has the measurements.
 */
private fun quantumNanos(perSecond: Double) = when {
    perSecond <= EXACT_RATE -> 0L
    perSecond <= DENSE_RATE -> 200_000L
    else -> DENSE_QUANTUM_NANOS
}

private const val EXACT_RATE = 1_000.0
private const val DENSE_RATE = 10_000.0
private const val DENSE_QUANTUM_NANOS = 500_000L
private const val AHEAD_SECONDS = 0.05
