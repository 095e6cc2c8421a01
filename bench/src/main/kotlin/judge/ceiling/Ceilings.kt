package threadgauge.judge.ceiling

import kotlin.math.ceil
import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.RuntimeReport
import threadgauge.model.Situation
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CeilingCause
import threadgauge.model.judgement.LeastWait
import threadgauge.model.judgement.LimitedThing
import threadgauge.model.judgement.WaitKind
import threadgauge.model.request.Protocol
import threadgauge.model.request.meanThinkNanos
import threadgauge.model.users

/**
 * Bounds on throughput that follow from settings alone: a limited number at a time, each for a minimum time. By
 * Little's law, with the shortest time that a request can take. [hasLeadIn]: the load went on before it was measured,
 * so an answer that began before counts as well as one that ends afterwards does not.
 */
internal fun ceilings(
    situation: Situation,
    runtime: RuntimeReport?,
    perSecond: Double?,
    hasLeadIn: Boolean = false,
): List<Ceiling> {
    val least = leastTimeOf(situation.request.path)
    val pools = listOfNotNull(least?.pool, least?.let { clientOf(it, runtime) })
    return bounds(situation, runtime).mapNotNull { ceilingOf(it, situation, least, perSecond, hasLeadIn) } +
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

/** Null where the minimum time of a request is unknown. */
private fun ceilingOf(
    bound: Bound,
    situation: Situation,
    least: LeastTime?,
    perSecond: Double?,
    hasLeadIn: Boolean,
): Ceiling? {
    val waits = listOfNotNull(least?.let { LeastWait(WaitKind.SERVICE, it.millis.toDouble()) }) + bound.between
    if (waits.isEmpty()) return null
    val millis = waits.sumOf { it.millis }
    val timed = situation.load as? Load.Users
    val short = timed?.takeIf { !hasLeadIn && it.forNanos / 1e6 / millis < MANY_ANSWERS }
    if (short == null) {
        val presence = bound.presence(timed)
        val cause = CeilingCause.Concurrency(bound.count, bound.of, waits, presence)
        return ceiling(cause, bound.count * presence * 1e3 / millis, perSecond)
    }
    // There is no think time before the first answer, and think times may vary, so whole think times cannot be counted.
    if (least == null && situation.connections.delayNanos == 0L) return null
    val answers = bound.wholeAnswers(short.forNanos / 1e6, millis)
    val seconds = short.forNanos / 1e9
    val cause = CeilingCause.WholeAnswers(bound.count, bound.of, answers, waits, seconds)
    return ceiling(cause, bound.count * answers / seconds, perSecond)
}

/** [count] at a time. Each spends [between] in addition to the request, and all are present after [comeInMillis]. */
private class Bound(
    val count: Int,
    val of: LimitedThing,
    val between: List<LeastWait> = emptyList(),
    private val comeInMillis: Double = 0.0,
) {
    /** The share of [load] for which each is present, on average: they start evenly spread. */
    fun presence(load: Load.Users?): Double = if (load == null) 1.0 else 1 - comeInMillis / 2 / (load.forNanos / 1e6)

    /**
     * The mean number of answers of [millis] that each gets in a load of [loadMillis]. An answer after the end of the
     * load does not count: with answers of five seconds, the last ones of a load of 15 s are still in flight at its
     * end.
     */
    fun wholeAnswers(loadMillis: Double, millis: Double): Double =
        // Each answer takes a little longer than its minimum, so one that would end exactly with the load does not
        // count.
        (0 until count).sumOf { ceil((loadMillis - comeInMillis * it / count) / millis) - 1 } / count
}

/**
 * For a server that accepts fewer connections than there are users. A user keeps the connection during its think time,
 * unless each request has its own connection.
 */
private fun connectionsFor(most: Int, situation: Situation): Bound? {
    val users = situation.load.users ?: return null
    val travel = situation.connections
    if (users <= most || travel.protocol != Protocol.HTTP_1_1) return null
    val between = betweenRequests(situation).takeUnless { travel.perRequest }.orEmpty()
    return Bound(most, LimitedThing.CONNECTIONS, between)
}

/** Time that a user spends per request outside the server. */
private fun betweenRequests(situation: Situation): List<LeastWait> {
    val thinking = situation.meanThinkNanos / 1e6
    val delay = situation.connections.delayNanos / 1e6
    return listOf(LeastWait(WaitKind.THINKING, thinking), LeastWait(WaitKind.NETWORK, delay)).filter { it.millis > 0 }
}

/** The limit of the server's own HTTP client, for requests of [least] that call a backend through it. */
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

/** The limit with the longest prefix of [path]. */
private fun RuntimeReport.limitOf(path: String): Int? =
    concurrencyLimits.filterKeys(path::startsWith).maxByOrNull { it.key.length }?.value

/**
 * All cores of the target, at the measured CPU per request. At this ceiling the model decides, not a setting. Null
 * where a figure is missing.
 */
internal fun processorCeiling(environment: Environment, cpuMicros: Double?, perSecond: Double?): Ceiling? {
    if (cpuMicros == null || cpuMicros <= 0 || perSecond == null) return null
    val cores = environment.targetCores.size.takeIf { it > 0 } ?: environment.cores
    val bound = cores * 1e6 / cpuMicros
    return Ceiling(CeilingCause.Processor(cores, cpuMicros), bound, reached = perSecond >= NEAR * bound)
}

/** On a busy core a sleep of 2 ms lasts up to 2.2 ms, so a result this near to its ceiling is limited by it. */
private const val NEAR = 0.9

/** With this many answers in a load, the last one changes the bound by less than [NEAR] allows. */
private const val MANY_ANSWERS = 10
