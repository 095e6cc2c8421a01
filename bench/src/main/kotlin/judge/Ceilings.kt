package threadgauge.judge

import threadgauge.model.Ceiling
import threadgauge.model.Environment
import threadgauge.model.Load
import threadgauge.model.RuntimeReport
import threadgauge.model.Situation
import threadgauge.model.meanNanos
import threadgauge.model.think
import threadgauge.model.users
import kotlin.math.ceil

/**
 * The bounds that settings put on throughput before any server is started: so many at a time, each for so long. Each
 * follows from Little's law with the shortest time that a request can take.
 */
internal fun ceilings(situation: Situation, runtime: RuntimeReport?, perSecond: Double?): List<Ceiling> {
    val least = leastTimeOf(situation.request.path)
    val bounds = listOfNotNull(
        situation.load.users?.let { it to if (it == 1) "user" else "users" },
        runtime?.limitOf(situation.request.path)?.let { it to "at a time in the handler" },
    )
    return bounds.mapNotNull { (count, what) ->
        val waits = listOfNotNull(least?.let { "${it.millis} ms" to it.millis.toDouble() }) +
            if (what.startsWith("user")) betweenRequests(situation) else emptyList()
        // Where only thinking is known, nobody knows what the server takes; to think is not to wait for it.
        if (least == null && situation.connections.delayNanos == 0L || waits.isEmpty()) return@mapNotNull null
        val time = waits.joinToString(" + ") { it.first }.let { if (waits.size == 1) it else "($it)" }
        val many = "${whole(count.toDouble())} $what"
        val millis = waits.sumOf { it.second }
        val short = (situation.load as? Load.Users)?.takeIf { it.forNanos / 1e6 / millis < MANY_ANSWERS }
        if (short == null) ceiling("$many ÷ $time", count * 1e3 / millis, perSecond) else {
            val answers = wholeAnswers(short, count, millis)
            val seconds = short.forNanos / 1e9
            ceiling("$many × ${digits(answers)} whole answers of $time ÷ ${digits(seconds)} s", count * answers / seconds, perSecond)
        }
    } + listOfNotNull(least?.pool?.let { ceilingOf(it, perSecond) })
}

/**
 * How many answers of [millis] each of [count] has within [load], on average. An answer that is not in at its end does not count, so
 * where an answer takes five seconds a load of 15 s ends with the last ones under way.
 */
private fun wholeAnswers(load: Load.Users, count: Int, millis: Double): Double {
    val comeIn = if (count == load.users) load.rampInNanos / 1e6 else 0.0
    // Each takes longer than its least time, if only by a little, so what would end with the load does not.
    return (0 until count).sumOf { ceil((load.forNanos / 1e6 - comeIn * it / count) / millis) - 1 } / count
}

/** What a user spends besides on each request, in words and in milliseconds. */
private fun betweenRequests(situation: Situation): List<Pair<String, Double>> {
    val thinking = (situation.load.think?.meanNanos ?: 0.0) / 1e6
    val delay = situation.connections.delayNanos / 1e6
    return listOf("${whole(thinking)} ms of thinking" to thinking, "${digits(delay)} ms of network" to delay).filter { it.second > 0 }
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
