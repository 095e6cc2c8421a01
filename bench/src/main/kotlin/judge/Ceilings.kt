package threadgauge.judge

import threadgauge.model.Ceiling
import threadgauge.model.Environment
import threadgauge.model.RuntimeReport
import threadgauge.model.Situation
import threadgauge.model.meanNanos
import threadgauge.model.think
import threadgauge.model.users

/**
 * The bounds that settings put on throughput before any server is started: so many at a time, each for so long. Each
 * follows from Little's law with the shortest time that a request can take.
 */
internal fun ceilings(situation: Situation, runtime: RuntimeReport?, perSecond: Double?): List<Ceiling> {
    val millis = waitMillis(situation.request.path) ?: return emptyList()
    val bounds = listOfNotNull(
        situation.load.users?.let { it to "users" },
        runtime?.limitOf(situation.request.path)?.let { it to "at a time in the handler" },
    )
    val thinkMillis = (situation.load.think?.meanNanos ?: 0.0) / 1e6
    return bounds.map { (count, what) ->
        val thinking = if (what == "users") thinkMillis else 0.0
        val bound = count * 1e3 / (millis + thinking)
        val time = if (thinking > 0) "($millis ms + ${whole(thinking)} ms of thinking)" else "$millis ms"
        Ceiling("${whole(count.toDouble())} $what ÷ $time", bound, reached = perSecond != null && perSecond >= NEAR * bound)
    }
}

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

/** Shortest time that the contract lets a request take: the number in `/delay/100`, `/block/2`, `/offload/2`. */
private fun waitMillis(path: String): Long? = WAITING.matchEntire(path)?.groupValues?.get(1)?.toLong()?.takeIf { it > 0 }

private val WAITING = Regex("/(?:delay|block|offload)/(\\d+)")

/** A sleep of 2 ms lasts up to 2.2 ms on a busy core, so a result this near to its ceiling is held by it. */
private const val NEAR = 0.9
