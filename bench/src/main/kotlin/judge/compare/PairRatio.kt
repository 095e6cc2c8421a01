package threadgauge.judge.compare

import kotlin.math.exp
import kotlin.math.sqrt
import threadgauge.judge.JudgedCell
import threadgauge.judge.figure
import threadgauge.model.MAX_TRIALS
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.RoundsSeen
import threadgauge.model.judgement.Usual
import threadgauge.stats.CoreSpeed
import threadgauge.stats.Interval
import threadgauge.stats.LogDistribution
import threadgauge.stats.ratioIntervalInBlocks
import threadgauge.stats.ratioIntervalOf
import threadgauge.stats.rounds.usualVariance
import threadgauge.stats.trialsToTell
import threadgauge.stats.varianceOfOne

/** The ratio of two figures. [interval] is null for too few trials. */
internal class PairRatio(
    val ratio: Double,
    val interval: Interval?,
    val onEqualCores: Boolean = false,
    private val confidence: Double,
    private val varianceOfOne: Double = 0.0,
    /** Trials of the side that has fewer. */
    private val trials: Int = 0,
    val rounds: RoundsSeen? = null,
) {
    /**
     * Trials after which the interval would no longer include [bound]; null where even the maximum number of a run is
     * too few.
     */
    fun trialsToTell(bound: Double): Int? = trialsToTell(varianceOfOne, ratio, bound, confidence, trials, MAX_TRIALS)
}

/** For figures whose trials are independent, such as those of two records. [interval] is used where they are not. */
internal fun ratioOf(
    ratio: Double,
    top: LogDistribution?,
    bottom: LogDistribution?,
    confidence: Double,
    interval: (LogDistribution, LogDistribution, Double) -> Interval = ::ratioIntervalOf,
): PairRatio {
    if (top == null || bottom == null) return PairRatio(ratio, null, confidence = confidence)
    return PairRatio(
        ratio, interval(top, bottom, confidence), confidence = confidence, varianceOfOne = varianceOfOne(top, bottom),
        trials = minOf(top.trials, bottom.trials),
    )
}

/**
 * Ratios of one figure in the [pairs] of the [fit] cells of a situation. The first of these methods that applies: in
 * rounds, if the cells were measured in such, with what is usual among them (decisions 0040 and 0059); on equal cores,
 * if the core's speed was measured in every trial, no stack influenced it, and there are enough trials (decision 0023);
 * in blocks, if the number of trials makes that worthwhile (decision 0018); with independent trials.
 */
internal class PairRatios(
    fit: List<JudgedCell>,
    pairs: List<Pair<JudgedCell, JudgedCell>>,
    private val of: Compared,
    private val confidence: Double,
) {
    private val measuredInRounds = pairs.associateWith { (top, bottom) -> PairInRounds.of(top, bottom, of) }

    /** Of the comparisons of the situation; null where they are too few to show it. */
    private val usual = usualVariance(measuredInRounds.values.mapNotNull { it?.paired })
    private val speed = fit.mapNotNull { it.timed(of) }.takeIf { it.size == fit.size }?.let(CoreSpeed::of)

    /** Of the first of [pair], which is one of the pairs, to the second. */
    fun between(pair: Pair<JudgedCell, JudgedCell>): PairRatio = measuredInRounds.getValue(pair)?.let(::inRounds)
        ?: onEqualCores(pair.first, pair.second) ?: ofTrials(pair.first, pair.second)

    private fun ofTrials(top: JudgedCell, bottom: JudgedCell) = ratioOf(
        ratio = top.cell.figure(of)!!.value / bottom.cell.figure(of)!!.value,
        top = top.spread(of),
        bottom = bottom.spread(of),
        confidence = confidence,
        interval = if (top.isInBlocksWith(bottom, of)) ::ratioIntervalInBlocks else ::ratioIntervalOf,
    )

    private fun inRounds(pair: PairInRounds): PairRatio {
        val seen = pair.seen()
        // Fewer blocks than an interval needs have a ratio all the same.
        val own = pair.paired
            ?: return PairRatio(exp(pair.meanLog), null, confidence = confidence, rounds = seen)
        val paired = usual?.let(own::mixedWith) ?: own
        return PairRatio(
            paired.ratio, paired.interval(confidence), confidence = confidence,
            varianceOfOne = paired.varianceOfBlock, trials = pair.blocks,
            rounds = seen.copy(usual = usual?.let { Usual(sqrt(it.varianceOfBlock), it.degreesOfFreedom) }),
        )
    }

    private fun onEqualCores(top: JudgedCell, bottom: JudgedCell): PairRatio? {
        val (a, b) = top.timed(of) to bottom.timed(of)
        if (speed == null || a == null || b == null) return null
        if (!speed.isComparable(a, b) || !speed.isWorthIt(a, b, confidence)) return null
        val adjusted = speed.ratio(a, b, confidence)
        val trials = minOf(top.cell.trials, bottom.cell.trials)
        return PairRatio(
            adjusted.ratio, adjusted.interval, onEqualCores = true, confidence, adjusted.varianceOfOne, trials,
        )
    }
}
