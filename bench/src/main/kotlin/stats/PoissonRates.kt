package threadgauge.stats

import org.apache.commons.statistics.distribution.BinomialDistribution

/**
 * How probable it is that two counts differ by as much as [first] and [second] do, or more, if both happen at the same
 * rate for each unit of exposure: given their sum, the second is binomial (Przyborowski and Wilenski, "Homogeneity of
 * results in testing samples from Poisson series", *Biometrika* 31, 1940). The smaller tail is doubled. 1 where nothing
 * was counted.
 */
fun equalRates(first: Long, firstExposure: Double, second: Long, secondExposure: Double): Double {
    val all = first + second
    if (all == 0L || all > Int.MAX_VALUE || firstExposure <= 0 || secondExposure <= 0) return 1.0
    val counts = BinomialDistribution.of(all.toInt(), secondExposure / (firstExposure + secondExposure))
    val below = counts.cumulativeProbability(second.toInt())
    val above = if (second == 0L) 1.0 else counts.survivalProbability(second.toInt() - 1)
    return minOf(1.0, 2 * minOf(below, above))
}
