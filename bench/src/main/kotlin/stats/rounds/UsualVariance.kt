package threadgauge.stats.rounds

import kotlin.math.exp
import kotlin.math.ln
import org.apache.commons.numbers.gamma.Digamma
import org.apache.commons.numbers.gamma.Trigamma
import threadgauge.stats.NO_VARIANCE

/**
 * How much the blocks of a comparison usually vary in a situation, and how much that says of one of its comparisons.
 *
 * A run has few blocks and many comparisons. Three blocks tell little of how much they vary, so Student's quantile is
 * large: 4.3 for a comparison by itself, 11 for one of six that share the confidence. But the processes of a situation
 * differ for the same reasons, so the variances of its comparisons are alike, more or less. That is used as in tests of
 * thousands of genes with three samples each: variances are taken as drawn from a scaled inverse chi-square
 * distribution, whose two parameters are estimated from all of them (empirical Bayes; G. K. Smyth, *Linear models and
 * empirical Bayes methods for assessing differential expression in microarray experiments*, Statistical Applications in
 * Genetics and Molecular Biology 3, 2004, section 6.2). The more they are alike, the more each gains. Where they are
 * not, nothing is gained, and the interval is that of its own blocks.
 */
class UsualVariance internal constructor(
    /** Variance of the logarithm of a ratio in one block. */
    val varianceOfBlock: Double,
    /** So many blocks more would have shown as much of the variance of one comparison; at least 0. */
    val degreesOfFreedom: Double,
)

/**
 * What is usual among these [ratios], by their own blocks. Null where fewer than [LEAST] of them vary: with three
 * comparisons, all of them hold in 91 to 92 of 100 cases instead of 95.
 *
 * Method of moments for logarithms of the variances (Smyth's section 6.2): beyond what estimates with so many degrees
 * of freedom vary by, trigamma(d ÷ 2), they vary by trigamma(d0 ÷ 2). At most [MOST] degrees of freedom count, because
 * a stack may vary much more than others: with four, all comparisons would hold in 92 of 100 cases where one of four
 * stacks varies three times as much.
 */
fun usualVariance(ratios: List<PairedRatio>): UsualVariance? {
    val varying = ratios.filter { it.varianceOfBlock > NO_VARIANCE }
    if (varying.size < LEAST) return null
    val logs = varying.map { ln(it.varianceOfBlock) - meanOfLog(it.degreesOfFreedom) }
    val mean = logs.average()
    val between = logs.sumOf { (it - mean) * (it - mean) } / (logs.size - 1)
    val excess = between - varying.map { Trigamma.value(it.degreesOfFreedom / 2) }.average()
    val freedom = if (excess <= Trigamma.value(MOST / 2)) MOST else 2 * inverseTrigamma(excess)
    return UsualVariance(exp(mean + meanOfLog(freedom)), freedom)
}

/** Mean of the logarithm of an estimated variance whose true value is 1. */
private fun meanOfLog(freedom: Double): Double = Digamma.value(freedom / 2) - ln(freedom / 2)

/** The argument, between 0 and [MOST] ÷ 2, for which trigamma, which falls, is [value]. */
private fun inverseTrigamma(value: Double): Double {
    var low = 0.0
    var high = MOST / 2
    repeat(HALVINGS) {
        val middle = (low + high) / 2
        if (Trigamma.value(middle) > value) low = middle else high = middle
    }
    return high
}

/** Those of four stacks. */
private const val LEAST = 6
private const val MOST = 2.0
private const val HALVINGS = 50
