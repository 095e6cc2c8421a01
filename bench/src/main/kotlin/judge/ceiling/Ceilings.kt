package threadgauge.judge.ceiling

import kotlin.math.ceil
import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.Protocol
import threadgauge.model.RuntimeReport
import threadgauge.model.Situation
import threadgauge.model.judgement.Ceiling
import threadgauge.model.meanNanos
import threadgauge.model.think
import threadgauge.model.users
import threadgauge.wording.digits
import threadgauge.wording.whole

/**
 * The bounds that settings put on throughput before any server is started: so many at a time, each for so long. Each
 * follows from Little's law with the shortest time that a request can take.
 */
internal fun ceilings(situation: Situation, runtime: RuntimeReport?, perSecond: Double?): List<Ceiling> {
    val least = leastTimeOf(situation.request.path)
    val timed = situation.load as? Load.Users
    val comeInMillis = (timed?.rampInNanos ?: 0) / 1e6
    val bounds = listOfNotNull(
        situation.load.users?.let { Bound(it, if (it == 1) "user" else "users", betweenRequests(situation), comeInMillis) },
        runtime?.limitOf(situation.request.path)?.let { Bound(it, "at a time in the handler") },
        runtime?.maxConnections?.let { connectionsFor(it, situation) },
    )
    return bounds.mapNotNull { bound ->
        val waits = listOfNotNull(least?.let { "${it.millis} ms" to it.millis.toDouble() }) + bound.between
        if (waits.isEmpty()) return@mapNotNull null
        val time = waits.joinToString(" + ") { it.first }.let { if (waits.size == 1) it else "($it)" }
        val many = "${whole(bound.count.toDouble())} ${bound.words}"
        val millis = waits.sumOf { it.second }
        val short = timed?.takeIf { it.forNanos / 1e6 / millis < MANY_ANSWERS }
        if (short == null) {
            val there = bound.there(timed)
            val inPart = if (there < 1) " × ${digits(1e2 * there)} % of the load" else ""
            ceiling("$many$inPart ÷ $time", bound.count * there * 1e3 / millis, perSecond)
        } else {
            // The first answer needs no thinking before it, and how long each thinks may differ: whole thoughts cannot be counted.
            if (least == null && situation.connections.delayNanos == 0L) return@mapNotNull null
            val answers = bound.wholeAnswers(short.forNanos / 1e6, millis)
            val seconds = short.forNanos / 1e9
            ceiling("$many × ${digits(answers)} whole answers of $time ÷ ${digits(seconds)} s", bound.count * answers / seconds, perSecond)
        }
    } + listOfNotNull(least?.pool, least?.let { clientOf(it, runtime) }).map { ceilingOf(it, perSecond) }
}

/** [count], called [words], at a time, who spend [between] besides on each answer and are all there after [comeInMillis]. */
private class Bound(
    val count: Int,
    val words: String,
    val between: List<Pair<String, Double>> = emptyList(),
    private val comeInMillis: Double = 0.0,
) {
    /** For which part of [load] each is there, on average: they come in evenly. */
    fun there(load: Load.Users?): Double = if (load == null) 1.0 else 1 - comeInMillis / 2 / (load.forNanos / 1e6)

    /**
     * How many answers of [millis] each has in a load of [loadMillis], on average. An answer that is not in at the load's end does not
     * count, so where an answer takes five seconds a load of 15 s ends with the last ones under way.
     */
    fun wholeAnswers(loadMillis: Double, millis: Double): Double =
        // Each takes longer than its least time, if only by a little, so what would end with the load does not.
        (0 until count).sumOf { ceil((loadMillis - comeInMillis * it / count) / millis) - 1 } / count
}

/** Where fewer than all users are let in. Who has a connection keeps it while he thinks, unless each request has one of its own. */
private fun connectionsFor(most: Int, situation: Situation): Bound? {
    val users = situation.load.users ?: return null
    val travel = situation.connections
    if (users <= most || travel.protocol != Protocol.HTTP_1_1) return null
    val between = betweenRequests(situation).takeUnless { travel.perRequest }.orEmpty()
    return Bound(most, if (most == 1) "connection" else "connections", between)
}

/** What a user spends besides on each request, in words and in milliseconds. */
private fun betweenRequests(situation: Situation): List<Pair<String, Double>> {
    val thinking = (situation.load.think?.meanNanos ?: 0.0) / 1e6
    val delay = situation.connections.delayNanos / 1e6
    return listOf("${whole(thinking)} ms of thinking" to thinking, "${digits(delay)} ms of network" to delay).filter { it.second > 0 }
}

/** What the server's own client allows, where requests of [least] make calls by it. */
private fun clientOf(least: LeastTime, runtime: RuntimeReport?): CallPool? = runtime?.maxCalls?.takeIf { least.ownCalls > 0 }?.let {
    CallPool(it, if (it == 1) "connection of the client" else "connections of the client", least.ownCalls, least.millis)
}

private fun ceilingOf(pool: CallPool, perSecond: Double?): Ceiling {
    val words = "${whole(pool.places.toDouble())} ${pool.name} ÷ (${pool.calls} calls × ${pool.millisEach} ms)"
    return ceiling(words, pool.places * 1e3 / (pool.calls * pool.millisEach), perSecond)
}

private fun ceiling(words: String, bound: Double, perSecond: Double?) =
    Ceiling(words, bound, reached = perSecond != null && perSecond >= NEAR * bound)

/** Of the limits whose path [path] begins with, that of the longest. */
private fun RuntimeReport.limitOf(path: String): Int? =
    concurrencyLimits.filterKeys(path::startsWith).maxByOrNull { it.key.length }?.value

/**
 * All of the target's cores, busy with what its requests cost. At this ceiling the model itself decides, not a setting. Null
 * where a figure is missing.
 */
internal fun processorCeiling(environment: Environment, cpuMicros: Double?, perSecond: Double?): Ceiling? {
    if (cpuMicros == null || cpuMicros <= 0 || perSecond == null) return null
    val cores = environment.targetCores.size.takeIf { it > 0 } ?: environment.cores
    val bound = cores * 1e6 / cpuMicros
    val words = "$cores ${if (cores == 1) "core" else "cores"} ÷ ${whole(cpuMicros)} µs of CPU per request"
    return Ceiling(words, bound, reached = perSecond >= NEAR * bound, bySetting = false)
}

/** A sleep of 2 ms lasts up to 2.2 ms on a busy core, so a result this near to its ceiling is held by it. */
private const val NEAR = 0.9

/** From so many answers in a load on, the last of them matters no more than [NEAR] allows for. */
private const val MANY_ANSWERS = 10
