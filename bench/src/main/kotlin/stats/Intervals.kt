package threadgauge.stats

import org.apache.commons.statistics.distribution.TDistribution
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

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
 * Interval of the typical value of which [values] are repeats: Student's interval of the mean of their logarithms,
 * taken back. Times and rates are positive and vary by factors, so logarithms are nearer to the normal distribution
 * that Student's interval assumes (Crow and Shimizu, *Lognormal Distributions*, 1988; for benchmarks, Georges, Buytaert
 * and Eeckhout, OOPSLA 2007).
 *
 * Null below [FEWEST_REPEATS] values, and where a value is not positive.
 */
fun typicalInterval(values: List<Double>, confidence: Double = 0.95): Interval? {
    if (values.size < FEWEST_REPEATS || values.any { it <= 0 }) return null
    val logs = values.map(::ln)
    val half = studentQuantile(confidence, (values.size - 1).toDouble()) * sqrt(variance(logs) / values.size)
    val centre = logs.average()
    return Interval(exp(centre - half), exp(centre + half))
}

/**
 * Interval of the ratio between the typical values of [numerator] and [denominator], which need not vary alike: Welch's
 * interval of the difference of mean logarithms, with Satterthwaite's degrees of freedom (Welch, *Biometrika* 34,
 * 1947). Repeats are whole processes, so each counts once, however many requests it served.
 *
 * Null below [FEWEST_REPEATS] values on either side, and where a value is not positive.
 */
fun ratioInterval(numerator: List<Double>, denominator: List<Double>, confidence: Double = 0.95): Interval? {
    val fewest = minOf(numerator.size, denominator.size)
    if (fewest < FEWEST_REPEATS || (numerator + denominator).any { it <= 0 }) return null
    val top = numerator.map(::ln)
    val bottom = denominator.map(::ln)
    val a = variance(top) / top.size
    val b = variance(bottom) / bottom.size
    val difference = top.average() - bottom.average()
    if (a + b == 0.0) return Interval(exp(difference), exp(difference))
    val freedom = (a + b) * (a + b) / (a * a / (top.size - 1) + b * b / (bottom.size - 1))
    val half = studentQuantile(confidence, freedom) * sqrt(a + b)
    return Interval(exp(difference - half), exp(difference + half))
}

/**
 * The confidence each of [comparisons] needs so that all of them together hold with [confidence] (Bonferroni). Without
 * it, one of six comparisons of equal servers would come out as a difference in every fourth run.
 */
fun shared(confidence: Double, comparisons: Int): Double = 1 - (1 - confidence) / maxOf(1, comparisons)

/** Fewer repeats give no interval: two values say next to nothing about how much a third would differ. */
const val FEWEST_REPEATS = 3

private fun variance(values: List<Double>): Double {
    val mean = values.average()
    return values.sumOf { (it - mean) * (it - mean) } / (values.size - 1)
}

private fun studentQuantile(confidence: Double, freedom: Double) =
    TDistribution.of(freedom).inverseSurvivalProbability((1 - confidence) / 2)
