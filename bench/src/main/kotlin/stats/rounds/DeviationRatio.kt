package threadgauge.stats.rounds

import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.FDistribution
import threadgauge.stats.Interval
import threadgauge.stats.NO_VARIANCE

/**
 * The standard deviation of [top] as a multiple of that of [bottom]: the ratio and its interval, from Snedecor's F
 * distribution for the ratio of the variances. Null for fewer than two values, and where either does not vary.
 *
 * The degrees of freedom follow from how far both have tails (Shoemaker, *Fixing the F test for equal variances*, The
 * American Statistician 57, 2003): about n − 1 for normal values, few where bursts make some rounds far noisier than
 * others. With n − 1, ten equal deviations each would be told apart in 30 of 100 cases with such bursts instead of 5.
 */
fun deviationRatio(top: List<Double>, bottom: List<Double>, confidence: Double = 0.95): Pair<Double, Interval>? {
    if (top.size < 2 || bottom.size < 2) return null
    val variances = listOf(top, bottom).map { squaresWithin(listOf(it)) / (it.size - 1) }
    if (variances.any { it < NO_VARIANCE }) return null
    val kurtosis = pooledKurtosis(top, bottom)
    val ratio = variances[0] / variances[1]
    fun quantile(of: List<Double>, other: List<Double>) =
        FDistribution.of(freedom(of.size, kurtosis), freedom(other.size, kurtosis))
            .inverseSurvivalProbability((1 - confidence) / 2)
    return sqrt(ratio) to Interval(sqrt(ratio / quantile(top, bottom)), sqrt(ratio * quantile(bottom, top)))
}

/** Of so many values: the degrees of freedom for which a variance of such values varies like a multiple of χ². */
private fun freedom(values: Int, kurtosis: Double): Double = 2.0 * values / (kurtosis - (values - 3.0) / (values - 1))

/** The fourth moment about the means, as a multiple of the square of the variance: 3 for normal values. */
private fun pooledKurtosis(top: List<Double>, bottom: List<Double>): Double {
    val values = top.size + bottom.size
    val squares = listOf(top, bottom).flatMap { all ->
        val mean = all.average()
        all.map { (it - mean) * (it - mean) }
    }
    val variance = squares.sum() / values
    return squares.sumOf { it * it } / values / (variance * variance)
}
