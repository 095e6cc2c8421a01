package threadgauge.judge.compare

import threadgauge.judge.JudgedCell
import threadgauge.judge.figure
import threadgauge.model.judgement.Compared
import threadgauge.stats.CoreSpeed
import threadgauge.stats.Interval
import threadgauge.stats.Spread
import threadgauge.stats.ratioIntervalInBlocks
import threadgauge.stats.ratioIntervalOf
import threadgauge.stats.repeatsToTell
import threadgauge.stats.varianceOfOne

/** The ratio of two figures. Without an [interval] there were too few repeats for one. */
internal class PairRatio(
    val ratio: Double,
    val interval: Interval?,
    val onEqualCores: Boolean = false,
    private val confidence: Double,
    private val varianceOfOne: Double = 0.0,
    /** Of the side that has fewer. */
    private val repeats: Int = 0,
) {
    /** Null where as many repeats as a run may have would not take the interval away from [bound]. */
    fun repeatsToTell(bound: Double): Int? = repeatsToTell(varianceOfOne, ratio, bound, confidence, repeats, MOST_REPEATS)
}

/** Of figures whose repeats are independent, such as those of two records; [interval] where they are not. */
internal fun ratioOf(
    ratio: Double,
    top: Spread?,
    bottom: Spread?,
    confidence: Double,
    interval: (Spread, Spread, Double) -> Interval = ::ratioIntervalOf,
): PairRatio {
    if (top == null || bottom == null) return PairRatio(ratio, null, confidence = confidence)
    return PairRatio(
        ratio, interval(top, bottom, confidence), confidence = confidence, varianceOfOne = varianceOfOne(top, bottom),
        repeats = minOf(top.repeats, bottom.repeats),
    )
}

/**
 * Ratios of one figure between the [fit] cells of a situation. In that order: as on equal cores, where the core's speed was watched in
 * every repeat, no stack had a hand in it and there are repeats enough (decision 0023); in blocks, where their number pays for it (decision
 * 0018); apart.
 */
internal class PairRatios(fit: List<JudgedCell>, private val of: Compared, private val confidence: Double) {
    private val speed = fit.mapNotNull { it.timed(of) }.takeIf { it.size == fit.size }?.let(CoreSpeed::of)

    fun between(top: JudgedCell, bottom: JudgedCell): PairRatio = onEqualCores(top, bottom) ?: ratioOf(
        ratio = top.cell.figure(of)!!.value / bottom.cell.figure(of)!!.value,
        top = top.spread(of),
        bottom = bottom.spread(of),
        confidence = confidence,
        interval = if (top.isInBlocksWith(bottom, of)) ::ratioIntervalInBlocks else ::ratioIntervalOf,
    )

    private fun onEqualCores(top: JudgedCell, bottom: JudgedCell): PairRatio? {
        val (a, b) = top.timed(of) to bottom.timed(of)
        if (speed == null || a == null || b == null) return null
        if (!speed.isComparable(a, b) || !speed.isWorthIt(a, b, confidence)) return null
        val adjusted = speed.ratio(a, b, confidence)
        val repeats = minOf(top.cell.repeats, bottom.cell.repeats)
        return PairRatio(adjusted.ratio, adjusted.interval, onEqualCores = true, confidence, adjusted.varianceOfOne, repeats)
    }
}

/** A run of more repeats is refused. */
internal const val MOST_REPEATS = 100
