package threadgauge.wording.machine

import kotlin.math.abs
import threadgauge.model.judgement.AwakeEffect
import threadgauge.model.judgement.Precision
import threadgauge.model.judgement.PredictedPrecision
import threadgauge.model.judgement.RatioWithInterval
import threadgauge.wording.percent
import threadgauge.wording.plainPercent

/** What two equal servers came out as, and what runs should reach: sentences for one paragraph. */
internal fun Precision.words(): String =
    listOfNotNull(noiseWords(), runsWords(), tooNoisyWords(), awakeWords(), effect?.throughput?.let(::throughputWords))
        .joinToString(" ")

/** What the table of [Precision.runs] rests on: sentences for one paragraph. */
internal fun Precision.assumptions(): String = listOfNotNull(
    "Each is the expected half-width of a 95 % interval, for one situation and all pairs of stacks.",
    "How much fresh processes of a stack differ was not measured here: " +
        "${plainPercent(assumedBetweenBlocks)} is assumed, as is typical.",
    "–: too short for the three blocks that an interval needs.".takeIf { runs.any { it.halfWidth == null } },
).joinToString(" ")

/** "± 3.4 %"; a dash where there is no interval. */
internal fun PredictedPrecision.words(): String = halfWidth?.let { "± ${about(it * 100)} %" } ?: "–"

private fun Precision.noiseWords() =
    "Two equal servers differ by ${percent(ofRuns.deviation)} in one round here (standard deviation of " +
        "${ofRuns.rounds} rounds)."

/** Of the shortest run in which two stacks have an interval. */
private fun Precision.runsWords(): String? {
    val minutes = runs.firstOrNull { it.halfWidth != null }?.minutes ?: return null
    val each = runs.filter { it.minutes == minutes && it.halfWidth != null }
    return "A run of $minutes minutes should reach about " +
        each.joinToString(" and ") { "${it.words()} with ${it.stacks} stacks" } + "."
}

private fun Precision.tooNoisyWords(): String? {
    val best = runs.mapNotNull { it.halfWidth }.minOrNull()
    if (best != null && best <= SMALL_DIFFERENCE) return null
    return "That is too noisy for small differences: close other programs, or use a machine that is not shared."
}

private fun Precision.awakeWords(): String? = when {
    awake == null ->
        "The cores cannot be kept awake: /dev/cpu_dma_latency is missing, or this user may not write to it."
    effect == null -> null
    else -> effect.words(this)
}

private fun AwakeEffect.words(of: Precision): String {
    val asleep = percent(checkNotNull(of.asleep).deviation)
    if (!noise.isClear) {
        return "With sleeping cores it is $asleep, but ${of.ofRuns.rounds} rounds of each are too few to rule out " +
            "chance."
    }
    val change = percent(abs(noise.ratio - 1))
    return if (noise.ratio < 1) "Keeping the cores awake takes $change of the noise off ($asleep with sleeping cores)."
    else "Keeping the cores awake adds $change to the noise ($asleep with sleeping cores)."
}

private fun throughputWords(of: RatioWithInterval): String? {
    if (!of.isClear) return null
    val range = listOf(of.low, of.high).map { abs(it - 1) }.sorted()
    return "On awake cores the servers answer ${percent(abs(of.ratio - 1))} ${if (of.ratio > 1) "more" else "less"} " +
        "(${percent(range.first())} to ${percent(range.last())})."
}

/** The default margin is 3 %: with wider intervals, no difference near it can be told. */
private const val SMALL_DIFFERENCE = 0.03
