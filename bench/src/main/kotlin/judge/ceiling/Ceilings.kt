package threadgauge.judge.ceiling

import kotlin.math.ceil
import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.Protocol
import threadgauge.model.RuntimeReport
import threadgauge.model.Situation
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.LeastWait
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.WaitKind
import threadgauge.model.meanNanos
import threadgauge.model.think
import threadgauge.model.users

/**
 * The bounds that settings put on throughput before any server is started: so many at a time, each for so long. Each
 * follows from Little's law with the shortest time that a request can take.
 */
internal fun ceilings(situation: Situation, runtime: RuntimeReport?, perSecond: Double?): List<Ceiling> {
    val least = leastTimeOf(situation.request.path)
    val pools = listOfNotNull(least?.pool, least?.let { clientOf(it, runtime) })
    return bounds(situation, runtime).mapNotNull { ceilingOf(it, situation, least, perSecond) } +
        pools.map { ceilingOf(it, perSecond) }
}

private fun bounds(situation: Situation, runtime: RuntimeReport?): List<Bound> {
    val comeInMillis = ((situation.load as? Load.Users)?.rampInNanos ?: 0) / 1e6
    return listOfNotNull(
        situation.load.users?.let { Bound(it, LimitedThing.USERS, betweenRequests(situation), comeInMillis) },
        runtime?.limitOf(situation.request.path)?.let { Bound(it, LimitedThing.HANDLERS) },
        runtime?.maxConnections?.let { connectionsFor(it, situation) },
    )
}

/** Null where nothing is known of the time that a request takes at least. */
private fun ceilingOf(bound: Bound, situation: Situation, least: LeastTime?, perSecond: Double?): Ceiling? {
    val waits = listOfNotNull(least?.let { LeastWait(WaitKind.SERVICE, it.millis.toDouble()) }) + bound.between
    if (waits.isEmpty()) return null
    val millis = waits.sumOf { it.millis }
    val timed = situation.load as? Load.Users
    val short = timed?.takeIf { it.forNanos / 1e6 / millis < MANY_ANSWERS }
    if (short == null) {
        val presence = bound.presence(timed)
        val cause = CeilingCause.Concurrency(bound.count, bound.of, waits, presence)
        return ceiling(cause, bound.count * presence * 1e3 / millis, perSecond)
    }
    // The first answer needs no thinking before it, and how long each thinks may differ: whole thoughts cannot be
    // counted.
    if (least == null && situation.connections.delayNanos == 0L) return null
    val answers = bound.wholeAnswers(short.forNanos / 1e6, millis)
    val seconds = short.forNanos / 1e9
    val cause = CeilingCause.WholeAnswers(bound.count, bound.of, answers, waits, seconds)
    return ceiling(cause, bound.count * answers / seconds, perSecond)
}

/** [count] at a time, who spend [between] besides on each answer and are all there after [comeInMillis]. */
private class Bound(
    val count: Int,
    val of: LimitedThing,
    val between: List<LeastWait> = emptyList(),
    private val comeInMillis: Double = 0.0,
) {
    /** For which part of [load] each is there, on average: they come in evenly. */
    fun presence(load: Load.Users?): Double = if (load == null) 1.0 else 1 - comeInMillis / 2 / (load.forNanos / 1e6)

    /**
     * How many answers of [millis] each has in a load of [loadMillis], on average. An answer that is not in at the
     * load's end does not count, so where an answer takes five seconds a load of 15 s ends with the last ones under
     * way.
     */
    fun wholeAnswers(loadMillis: Double, millis: Double): Double =
        // Each takes longer than its least time, if only by a little, so what would end with the load does not.
        (0 until count).sumOf { ceil((loadMillis - comeInMillis * it / count) / millis) - 1 } / count
}

/**
 * Where fewer than all users are let in. Who has a connection keeps it while he thinks, unless each request has one of
 * its own.
 */
private fun connectionsFor(most: Int, situation: Situation): Bound? {
    val users = situation.load.users ?: return null
    val travel = situation.connections
    if (users <= most || travel.protocol != Protocol.HTTP_1_1) return null
    val between = betweenRequests(situation).takeUnless { travel.perRequest }.orEmpty()
    return Bound(most, LimitedThing.CONNECTIONS, between)
}

/** What a user spends besides on each request. */
private fun betweenRequests(situation: Situation): List<LeastWait> {
    val thinking = (situation.load.think?.meanNanos ?: 0.0) / 1e6
    val delay = situation.connections.delayNanos / 1e6
    return listOf(LeastWait(WaitKind.THINKING, thinking), LeastWait(WaitKind.NETWORK, delay)).filter { it.millis > 0 }
}

/** What the server's own client allows, where requests of [least] make calls by it. */
private fun clientOf(least: LeastTime, runtime: RuntimeReport?): CallPool? =
    runtime?.maxCalls?.takeIf { least.ownCalls > 0 }?.let {
        CallPool(it, LimitedThing.CLIENT_CONNECTIONS, least.ownCalls, least.millis)
    }

private fun ceilingOf(pool: CallPool, perSecond: Double?): Ceiling {
    val cause = CeilingCause.Calls(pool.permits, pool.of, pool.calls, pool.millisEach)
    return ceiling(cause, pool.permits * 1e3 / (pool.calls * pool.millisEach), perSecond)
}

private fun ceiling(cause: CeilingCause, bound: Double, perSecond: Double?) =
    Ceiling(cause, bound, reached = perSecond != null && perSecond >= NEAR * bound)

/** Of the limits whose path [path] begins with, that of the longest. */
private fun RuntimeReport.limitOf(path: String): Int? =
    concurrencyLimits.filterKeys(path::startsWith).maxByOrNull { it.key.length }?.value

/**
 * All of the target's cores, busy with what its requests cost. At this ceiling the model itself decides, not a setting.
 * Null where a figure is missing.
 */
internal fun processorCeiling(environment: Environment, cpuMicros: Double?, perSecond: Double?): Ceiling? {
    if (cpuMicros == null || cpuMicros <= 0 || perSecond == null) return null
    val cores = environment.targetCores.size.takeIf { it > 0 } ?: environment.cores
    val bound = cores * 1e6 / cpuMicros
    return Ceiling(CeilingCause.Processor(cores, cpuMicros), bound, reached = perSecond >= NEAR * bound)
}

/** A sleep of 2 ms lasts up to 2.2 ms on a busy core, so a result this near to its ceiling is held by it. */
private const val NEAR = 0.9

/** From so many answers in a load on, the last of them matters no more than [NEAR] allows for. */
private const val MANY_ANSWERS = 10
