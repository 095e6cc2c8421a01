package threadgauge.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.TDistribution

/** A range that contains the true value in the stated share of cases, 0.95 by default. */
data class Interval(val low: Double, val high: Double) {
    init {
        require(low <= high) { "$low > $high" }
    }

    operator fun contains(value: Double) = value in low..high
}

/** The middle value, or the mean of the two middle ones. [values] must not be empty. */
fun median(values: List<Double>): Double {
    require(values.isNotEmpty()) { "nothing has no median" }
    val sorted = values.sorted()
    val middle = sorted.size / 2
    return if (sorted.size % 2 == 1) sorted[middle] else (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * The distribution for intervals of one figure: its logarithm over all trials and in resamples of them. Times and rates
 * are positive and vary by factors, so logarithms are nearer to the normal distribution (Crow and Shimizu, *Lognormal
 * Distributions*, 1988).
 */
class LogDistribution private constructor(
    internal val centre: Double,
    internal val resamples: Resamples,
    private val of: (IntArray) -> Double,
) {
    val trials: Int get() = resamples.trials

    /** [of] returns the logarithm in a resample, given how often each trial is in it; see [Resamples.of]. */
    constructor(centre: Double, trials: Int, of: (IntArray) -> Double) : this(centre, Resamples.of(trials, of), of)

    /**
     * The distribution of the ratio of this figure to [other], for trials measured in blocks: the nth trials are drawn
     * together, so that what they have in common, such as a slow hour of the machine, cancels out.
     */
    internal fun inBlocksWith(other: LogDistribution): LogDistribution {
        require(trials == other.trials) { "$trials trials and ${other.trials} make no blocks" }
        return LogDistribution(centre - other.centre, trials) { counts -> of(counts) - other.of(counts) }
    }
}

/**
 * The distribution of the typical value of [values], one for each trial: of the mean of their logarithms. Null below
 * [MIN_TRIALS] values, and where a value is not positive.
 */
fun spreadOf(values: List<Double>): LogDistribution? {
    if (values.size < MIN_TRIALS || values.any { it <= 0 }) return null
    val logs = DoubleArray(values.size) { ln(values[it]) }
    return LogDistribution(logs.average(), logs.size) { counts ->
        logs.indices.sumOf { counts[it] * logs[it] } / logs.size
    }
}

/**
 * Interval of a figure, from the distribution of its logarithm.
 *
 * If the resamples are fine enough, it is the expanded percentile interval of the bootstrap: a percentile bootstrap of
 * n trials is too narrow by √((n−1)/n) and by the normal distribution's quantile in place of Student's, so its
 * percentiles are moved outwards by that (Hesterberg, "What Teachers Should Know About the Bootstrap", *The American
 * Statistician* 69, 2015). Few trials have too few resamples for percentiles so far out. Then it is Student's interval
 * around the logarithm over all trials, with the variance of the resamples, which for a mean of logarithms is the
 * textbook interval.
 */
fun intervalOf(spread: LogDistribution, confidence: Double = 0.95): Interval {
    if (spread.resamples.variance < NO_VARIANCE) return around(spread.centre, 0.0)
    val trials = spread.resamples.trials
    val quantile = studentQuantile(confidence, (trials - 1).toDouble())
    val tail = expandedTail(quantile, trials / (trials - 1.0))
    if (!spread.resamples.resolve(tail)) return around(spread.centre, quantile * sqrt(spread.resamples.variance))
    return Interval(exp(spread.resamples.quantile(tail)), exp(spread.resamples.quantile(1 - tail)))
}

/** Interval of the typical value of [values], one for each trial; null where [spreadOf] is. */
fun typicalInterval(values: List<Double>, confidence: Double = 0.95): Interval? =
    spreadOf(values)?.let { intervalOf(it, confidence) }

/** Interval of the ratio between the typical values of [top] and [bottom]; null where [spreadOf] of either is. */
fun ratioInterval(top: List<Double>, bottom: List<Double>, confidence: Double = 0.95): Interval? {
    return ratioIntervalOf(spreadOf(top) ?: return null, spreadOf(bottom) ?: return null, confidence)
}

/**
 * Interval of the ratio [top] ÷ [bottom] of two figures, whose trials are independent of each other and need not vary
 * alike. As [intervalOf], over all pairs of resamples; degrees of freedom are Satterthwaite's (Welch, *Biometrika* 34,
 * 1947).
 */
fun ratioIntervalOf(top: LogDistribution, bottom: LogDistribution, confidence: Double = 0.95): Interval {
    val a = top.resamples.variance
    val b = bottom.resamples.variance
    val (n, m) = top.resamples.trials to bottom.resamples.trials
    if (a + b < NO_VARIANCE) return around(top.centre - bottom.centre, 0.0)
    val quantile = studentQuantile(confidence, satterthwaite(a, n - 1.0, b, m - 1.0))
    val tail = expandedTail(quantile, (a + b) / (a * (n - 1) / n + b * (m - 1) / m))
    // If one side varies by far the most, the pairs are no finer than that side alone.
    val coarser = if (a > b) top else bottom
    if (!coarser.resamples.resolve(tail)) return around(top.centre - bottom.centre, quantile * sqrt(a + b))
    return Interval(
        exp(top.resamples.quantileOfDifference(bottom.resamples, tail)),
        exp(top.resamples.quantileOfDifference(bottom.resamples, 1 - tail)),
    )
}

/**
 * As [ratioIntervalOf], for trials measured in blocks: the nth trial of one side shortly before or after the nth of the
 * other.
 *
 * Common effects of a block cancel out in the ratio, at the cost of half the degrees of freedom. Whether that is
 * worthwhile depends on the drift of the machine, which is unknown, and choosing the narrower interval would give too
 * little coverage. So the number of trials decides: blocks are used if they raise Student's quantile by less than
 * [MAX_QUANTILE_RATIO] (decision 0018), that is from five trials on for two stacks, and from seven on for four.
 */
fun ratioIntervalInBlocks(top: LogDistribution, bottom: LogDistribution, confidence: Double = 0.95): Interval {
    if (top.trials != bottom.trials) return ratioIntervalOf(top, bottom, confidence)
    val freedom = top.trials - 1.0
    val dearer = studentQuantile(confidence, freedom) / studentQuantile(confidence, 2 * freedom)
    return if (dearer > MAX_QUANTILE_RATIO) {
        ratioIntervalOf(top, bottom, confidence)
    } else {
        intervalOf(top.inBlocksWith(bottom), confidence)
    }
}

/**
 * Trials on each side after which the interval of a ratio would no longer reach from [ratio] to [bound], if trials go
 * on to vary as before: the smallest n for which Student's quantile × standard error × √(trials so far ÷ n) is less
 * than the distance of the logarithms. [ofOne] is the variance of the ratio's logarithm from one trial of each. Always
 * more than [soFar], which were too few, because the formula assumes normal values. Null where even [most] are too few.
 */
fun trialsToTell(ofOne: Double, ratio: Double, bound: Double, confidence: Double, soFar: Int, most: Int): Int? {
    val distance = abs(ln(ratio) - ln(bound))
    return (maxOf(MIN_TRIALS, soFar + 1)..most).firstOrNull { n ->
        studentQuantile(confidence, 2.0 * (n - 1)) * sqrt(ofOne / n) < distance
    }
}

/** Variance of the ratio's logarithm for one trial of each side. */
fun varianceOfOne(top: LogDistribution, bottom: LogDistribution): Double =
    top.resamples.variance * top.resamples.trials + bottom.resamples.variance * bottom.resamples.trials

/**
 * The confidence each of [comparisons] needs so that all of them together hold with [confidence] (Bonferroni). Without
 * it, every fourth run with six comparisons of equal servers would report a difference.
 */
fun shared(confidence: Double, comparisons: Int): Double = 1 - (1 - confidence) / maxOf(1, comparisons)

/** Minimum number of trials for an interval: two values say next to nothing about how much values vary. */
const val MIN_TRIALS = 3

/**
 * Highest factor by which Student's quantile may rise for variance that is removed. In 25 pairs of five trials measured
 * here, the standard error in blocks was 0.73 of that without: 1 ÷ 0.73 is 1.37.
 */
internal const val MAX_QUANTILE_RATIO = 1.3

/** Rounding error of equal values: the last digits of their logarithms, squared. */
internal const val NO_VARIANCE = 1e-24

internal fun around(centre: Double, half: Double) = Interval(exp(centre - half), exp(centre + half))

/** The share to cut off on each side, so that the percentiles are as far out as Student's interval. */
private fun expandedTail(quantile: Double, varianceLost: Double) =
    NormalDistribution.of(0.0, 1.0).survivalProbability(quantile * sqrt(varianceLost))

/** Degrees of freedom of a difference, from the variances and the degrees of freedom of both sides. */
internal fun satterthwaite(a: Double, freedomA: Double, b: Double, freedomB: Double): Double =
    if (a + b < NO_VARIANCE) minOf(freedomA, freedomB) else (a + b) * (a + b) / (a * a / freedomA + b * b / freedomB)

internal fun studentQuantile(confidence: Double, freedom: Double) =
    TDistribution.of(freedom).inverseSurvivalProbability((1 - confidence) / 2)
