package threadgauge.stats

import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.TDistribution

/**
 * Growth between successive [values] that is certain at [confidence]: the one-sided lower bound of the slope of a
 * straight line through them by least squares (Draper and Smith, *Applied Regression Analysis*, 1998, chapter 1). Null
 * below four values.
 */
fun sureGrowth(values: List<Double>, confidence: Double = 0.95): Double? {
    if (values.size < MIN) return null
    val n = values.size
    val middle = (n - 1) / 2.0
    val mean = values.average()
    val spread = values.indices.sumOf { (it - middle) * (it - middle) }
    val slope = values.withIndex().sumOf { (index, value) -> (index - middle) * (value - mean) } / spread
    val rest = values.withIndex().sumOf { (index, value) -> (value - mean - slope * (index - middle)).let { it * it } }
    val error = sqrt(rest / (n - 2) / spread)
    return slope - TDistribution.of((n - 2).toDouble()).inverseSurvivalProbability(1 - confidence) * error
}

private const val MIN = 4
