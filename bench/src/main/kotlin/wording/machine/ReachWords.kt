package threadgauge.wording.machine

import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.Precision
import threadgauge.model.judgement.Reach
import threadgauge.model.judgement.SOUND_SHARE_OF_CEILING
import threadgauge.wording.percent
import threadgauge.wording.significant
import threadgauge.wording.whole

/**
 * The range of sound measurements on this machine: a title and one or two sentences each. Unknowns are left out. What
 * runs should reach by [precision] is said in place of what trials in turns would.
 */
internal fun Reach.words(precision: Precision? = null): List<Pair<String, String>> =
    listOfNotNull(throughput(), latency(), precision?.differences() ?: differences(), connections())

private fun Reach.throughput(): Pair<String, String>? {
    val sound = soundPerSecond
    val most = maxPerSecond
    if (sound == null || most == null || most <= 0) return null
    val soundShare = percent(SOUND_SHARE_OF_CEILING)
    val mostShare = percent(MAX_SHARE_OF_CEILING)
    return "throughput" to
        "Up to about ${about(sound)} requests per second, $soundShare of the load agent's maximum. " +
        "From there to ${about(most)} ($mostShare) figures carry a doubt. Above that they are invalid."
}

private fun Reach.latency(): Pair<String, String>? {
    if (latencies.isEmpty()) return null
    val each = latencies.map { "from about ${latency(it.fromMicros)} at ${significant(it.ratePerSecond)}/s" }
    return "latency" to "${capital(each)}. Delays of the load agent distort shorter latencies."
}

private fun Reach.differences(): Pair<String, String>? = smallestDifference?.let {
    "differences" to "From about ${about(it * 100)} % between two stacks with $rounds trials each, at best. " +
        "Smaller differences are lost in the noise."
}

private fun Precision.differences(): Pair<String, String>? = runs.firstOrNull { it.halfWidth != null }?.let {
    val percent = about(checkNotNull(it.halfWidth) * 100)
    "differences" to "From about $percent % between ${it.stacks} stacks in a run of ${it.minutes} minutes. " +
        "Smaller differences are lost in the noise."
}

private fun Reach.connections(): Pair<String, String>? {
    val words = listOfNotNull(
        connectionsOfAgent?.let { "from one load agent up to ${aboutDown(it)}" },
        connectionsOfTarget?.let { "to one server process up to ${aboutDown(it)}" },
    )
    return if (words.isEmpty()) null else "connections" to "${capital(words)}."
}

private fun capital(parts: List<String>) = parts.joinToString(", ").replaceFirstChar { it.uppercase() }

private fun latency(micros: Double) = if (micros < 1_000) "${about(micros)} µs" else "${about(micros / 1e3)} ms"

/** Two significant digits, because the bound is rough. */
internal fun about(value: Double): String {
    if (value <= 0) return "0"
    val magnitude = floor(log10(value)).toInt()
    val step = 10.0.pow(magnitude - 1)
    return significant(Math.round(value / step) * step, decimals = maxOf(0, 1 - magnitude))
}

/** Rounded down to hundreds, because it is an upper limit. */
private fun aboutDown(value: Long) = whole((if (value < 1_000) value else value / 100 * 100).toDouble())
