package threadgauge.stats

import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.FDistribution

/**
 * The standard deviation of [top] as a multiple of that of [bottom], both of normal values: the ratio and its interval,
 * from the ratio of the variances, which has Snedecor's F distribution (Snedecor and Cochran, *Statistical Methods*,
 * section 6.12). With ten values each the interval reaches from half the ratio to twice the ratio. Null for fewer than
 * two values, and where either does not vary.
 */
fun deviationRatio(top: List<Double>, bottom: List<Double>, confidence: Double = 0.95): Pair<Double, Interval>? {
    if (top.size < 2 || bottom.size < 2) return null
    val variances = listOf(top, bottom).map { squaresWithin(listOf(it)) / (it.size - 1) }
    if (variances.any { it < NO_VARIANCE }) return null
    val ratio = variances[0] / variances[1]
    val tail = (1 - confidence) / 2
    fun quantile(of: List<Double>, other: List<Double>) =
        FDistribution.of(of.size - 1.0, other.size - 1.0).inverseSurvivalProbability(tail)
    return sqrt(ratio) to Interval(sqrt(ratio / quantile(top, bottom)), sqrt(ratio * quantile(bottom, top)))
}
