package threadgauge.judge.compare

import kotlin.math.exp
import threadgauge.judge.JudgedCell
import threadgauge.judge.figure
import threadgauge.model.MAX_TRIALS
import threadgauge.model.judgement.Adjustment
import threadgauge.model.judgement.BlockRatios
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.RoundsSeen
import threadgauge.stats.CoreSpeed
import threadgauge.stats.Interval
import threadgauge.stats.LogDistribution
import threadgauge.stats.RoundCovariate
import threadgauge.stats.pairedRatio
import threadgauge.stats.ratioIntervalInBlocks
import threadgauge.stats.ratioIntervalOf
import threadgauge.stats.trialsToTell
import threadgauge.stats.varianceComponents
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
 * Ratios of one figure between the [fit] cells of a situation. The first of these methods that applies: in rounds, if
 * the cells were measured in such, adjusted for what others took of the machine where that explains part of it
 * (decision 0040); on equal cores, if the core's speed was measured in every trial, no stack influenced it, and there
 * are enough trials (decision 0023); in blocks, if the number of trials makes that worthwhile (decision 0018); with
 * independent trials.
 */
internal class PairRatios(fit: List<JudgedCell>, private val of: Compared, private val confidence: Double) {
    private val speed = fit.mapNotNull { it.timed(of) }.takeIf { it.size == fit.size }?.let(CoreSpeed::of)

    fun between(top: JudgedCell, bottom: JudgedCell): PairRatio =
        inRounds(top, bottom) ?: onEqualCores(top, bottom) ?: ofTrials(top, bottom)

    private fun ofTrials(top: JudgedCell, bottom: JudgedCell) = ratioOf(
        ratio = top.cell.figure(of)!!.value / bottom.cell.figure(of)!!.value,
        top = top.spread(of),
        bottom = bottom.spread(of),
        confidence = confidence,
        interval = if (top.isInBlocksWith(bottom, of)) ::ratioIntervalInBlocks else ::ratioIntervalOf,
    )

    private fun inRounds(top: JudgedCell, bottom: JudgedCell): PairRatio? {
        val differences = top.rounds(of)?.minus(bottom.rounds(of) ?: return null) ?: return null
        if (differences.isEmpty()) return null
        val measured = differences.values.toList()
        val left = leftIn(top, bottom)?.filterKeys { it in differences }
        val adjusted = left?.let { RoundCovariate.of(measured, it.values.toList()) }?.takeIf { isCause(it.slope) }
        val rounds = adjusted?.adjusted ?: measured
        val seen = seenIn(differences.keys.zip(rounds)).copy(
            adjusted = adjusted?.let {
                Adjustment(it.slope, it.explained, varianceComponents(measured)?.betweenRounds)
            },
        )
        // Fewer blocks than an interval needs have a ratio all the same.
        val paired = pairedRatio(rounds) ?: return PairRatio(
            exp(rounds.map { it.average() }.average()), null, confidence = confidence, rounds = seen,
        )
        return PairRatio(
            paired.ratio, paired.interval(confidence), confidence = confidence,
            varianceOfOne = paired.standardError * paired.standardError * differences.size,
            trials = differences.size, rounds = seen,
        )
    }

    /**
     * Who is left more of its cores has more throughput, and lower latencies. The other way round the throughput is the
     * cause, for example where the kernel counts the interrupts of its answers apart. CPU time is not waited for.
     */
    private fun isCause(slope: Double) = when (of) {
        Compared.THROUGHPUT -> slope > 0
        Compared.P50 -> slope < 0
        else -> false
    }

    private fun leftIn(top: JudgedCell, bottom: JudgedCell): Map<Int, List<Double>>? =
        bottom.left?.let { top.left?.minus(it) }

    private fun seenIn(differences: List<Pair<Int, List<Double>>>): RoundsSeen {
        val components = varianceComponents(differences.map { it.second })
        return RoundsSeen(
            differences.map { (block, logs) -> BlockRatios(block, exp(logs.average()), logs.map(::exp)) },
            components?.betweenRounds, components?.betweenBlocks,
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
