package threadgauge.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.TDistribution

/** A range that holds the true value in the stated share of cases, 0.95 unless told otherwise. */
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
 * What intervals of one figure are made from: its logarithm over all trials and in resamples of them. Times and
 * rates are positive and vary by factors, so logarithms are nearer to the normal distribution (Crow and Shimizu,
 * *Lognormal Distributions*, 1988).
 */
class LogDistribution private constructor(
    internal val centre: Double,
    internal val resamples: Resamples,
    private val of: (IntArray) -> Double,
) {
    val trials: Int get() = resamples.trials

    /** [of] is the logarithm in the resample in which each trial is so often; see [Resamples.of]. */
    constructor(centre: Double, trials: Int, of: (IntArray) -> Double) : this(centre, Resamples.of(trials, of), of)

    /**
     * Of the ratio of this figure to [other], where the nth trials of both were measured one soon after the other: they
     * are drawn together, so what both had in common, such as a slow hour of the machine, is not in the spread.
     */
    internal fun inBlocksWith(other: LogDistribution): LogDistribution {
        require(trials == other.trials) { "$trials trials and ${other.trials} make no blocks" }
        return LogDistribution(centre - other.centre, trials) { counts -> of(counts) - other.of(counts) }
    }
}

/**
 * The spread of the typical value of which [values] are trials: of the mean of their logarithms. Null below
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
 * Interval of a figure, from the spread of its logarithm.
 *
 * Where the resamples are fine enough it is the bootstrap's expanded percentile interval: a percentile bootstrap of n
 * trials is too narrow by √((n−1)/n) and by the normal distribution's quantile in place of Student's, so its
 * percentiles are moved out by just that (Hesterberg, "What Teachers Should Know About the Bootstrap", *The American
 * Statistician* 69, 2015). Few trials have too few resamples to tell percentiles so far out. Then the interval is
 * Student's around the logarithm over all, with the resamples' variance, which for a mean of logarithms is the
 * textbook's.
 */
fun intervalOf(spread: LogDistribution, confidence: Double = 0.95): Interval {
    if (spread.resamples.variance < NO_VARIANCE) return around(spread.centre, 0.0)
    val trials = spread.resamples.trials
    val quantile = studentQuantile(confidence, (trials - 1).toDouble())
    val tail = expandedTail(quantile, trials / (trials - 1.0))
    if (!spread.resamples.resolve(tail)) return around(spread.centre, quantile * sqrt(spread.resamples.variance))
    return Interval(exp(spread.resamples.quantile(tail)), exp(spread.resamples.quantile(1 - tail)))
}

/** Interval of the typical value of which [values] are trials; null where [spreadOf] is. */
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
    // Where one side varies by far the most, the pairs are no finer than that side alone.
    val coarser = if (a > b) top else bottom
    if (!coarser.resamples.resolve(tail)) return around(top.centre - bottom.centre, quantile * sqrt(a + b))
    return Interval(
        exp(top.resamples.quantileOfDifference(bottom.resamples, tail)),
        exp(top.resamples.quantileOfDifference(bottom.resamples, 1 - tail)),
    )
}

/**
 * As [ratioIntervalOf], of trials that were measured in blocks: the nth of one side soon before or after the nth of the
 * other.
 *
 * What a block's trials have in common cancels out in their ratio, and in exchange there are half as many degrees of
 * freedom. Whether that pays depends on how the machine drifts, which is not known beforehand, and to choose by the
 * width that comes out would make intervals too narrow. So it is decided by numbers alone: blocks are used where they
 * raise Student's quantile by less than [DEAREST] (decision 0018): from five trials on for two stacks, from seven on
 * for four.
 */
fun ratioIntervalInBlocks(top: LogDistribution, bottom: LogDistribution, confidence: Double = 0.95): Interval {
    if (top.trials != bottom.trials) return ratioIntervalOf(top, bottom, confidence)
    val freedom = top.trials - 1.0
    val dearer = studentQuantile(confidence, freedom) / studentQuantile(confidence, 2 * freedom)
    return if (dearer > DEAREST) {
        ratioIntervalOf(top, bottom, confidence)
    } else {
        intervalOf(top.inBlocksWith(bottom), confidence)
    }
}

/**
 * Trials on each side after which the interval of a ratio would no longer reach from [ratio] to [bound], if trials go
 * on to vary as they did: for these n, Student's quantile × standard error × √(trials so far ÷ n) is less than the
 * distance of the logarithms. [ofOne] is the variance of the ratio's logarithm from one trial of each. More than the
 * [soFar] that did not tell, whatever the formula says, since it takes the values for normal. Null where even [most]
 * would not do.
 */
fun trialsToTell(ofOne: Double, ratio: Double, bound: Double, confidence: Double, soFar: Int, most: Int): Int? {
    val distance = abs(ln(ratio) - ln(bound))
    return (maxOf(MIN_TRIALS, soFar + 1)..most).firstOrNull { n ->
        studentQuantile(confidence, 2.0 * (n - 1)) * sqrt(ofOne / n) < distance
    }
}

/** Variance of the ratio's logarithm that one trial of each would have. */
fun varianceOfOne(top: LogDistribution, bottom: LogDistribution): Double =
    top.resamples.variance * top.resamples.trials + bottom.resamples.variance * bottom.resamples.trials

/**
 * The confidence each of [comparisons] needs so that all of them together hold with [confidence] (Bonferroni). Without
 * it, one of six comparisons of equal servers would come out as a difference in every fourth run.
 */
fun shared(confidence: Double, comparisons: Int): Double = 1 - (1 - confidence) / maxOf(1, comparisons)

/** Fewer trials give no interval: two values say next to nothing about how much a third would differ. */
const val MIN_TRIALS = 3

/**
 * By so much Student's quantile may rise for what is taken out of the spread. In 25 pairs of five trials that were
 * measured here, the standard error in blocks was 0.73 of that without: 1 ÷ 0.73 is 1.37.
 */
internal const val DEAREST = 1.3

/** Equal values differ by so much in the last digits of their logarithms, squared. */
internal const val NO_VARIANCE = 1e-24

internal fun around(centre: Double, half: Double) = Interval(exp(centre - half), exp(centre + half))

/** The share to leave out on each side so that the percentiles lie as far out as Student's interval would. */
private fun expandedTail(quantile: Double, varianceLost: Double) =
    NormalDistribution.of(0.0, 1.0).survivalProbability(quantile * sqrt(varianceLost))

/** Degrees of freedom of a difference, from the variances of its two sides and theirs. */
internal fun satterthwaite(a: Double, freedomA: Double, b: Double, freedomB: Double): Double =
    if (a + b < NO_VARIANCE) minOf(freedomA, freedomB) else (a + b) * (a + b) / (a * a / freedomA + b * b / freedomB)

internal fun studentQuantile(confidence: Double, freedom: Double) =
    TDistribution.of(freedom).inverseSurvivalProbability((1 - confidence) / 2)
