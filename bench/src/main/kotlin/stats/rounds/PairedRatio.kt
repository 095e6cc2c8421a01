package threadgauge.stats.rounds

import kotlin.math.exp
import kotlin.math.sqrt
import threadgauge.stats.Interval
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.NO_VARIANCE
import threadgauge.stats.around
import threadgauge.stats.studentQuantile

/**
 * The ratio of two stacks that were measured in blocks of rounds.
 *
 * A *round* is one short slice of load on either stack, so it gives one difference of logarithms, ln(a ÷ b), in which
 * what disturbs both cancels out. A *block* is a set of fresh processes, measured for some rounds.
 */
class PairedRatio internal constructor(
    /** Natural logarithm of [ratio]. */
    val logRatio: Double,
    /** Standard error of [logRatio]. */
    val standardError: Double,
    /** Of [standardError]: the number of blocks less one, and what [UsualVariance] adds to it. */
    val degreesOfFreedom: Double,
    /** Null where every block has only one round. */
    val components: VarianceComponents?,
    private val blocks: Int,
) {
    /** Variance of [logRatio] in one block, as far as its blocks show. */
    val varianceOfBlock: Double get() = standardError * standardError * blocks

    /** a ÷ b. */
    val ratio: Double get() = exp(logRatio)

    fun interval(confidence: Double = 0.95): Interval =
        around(logRatio, studentQuantile(confidence, degreesOfFreedom) * standardError)

    /** Distance from the ratio to the upper end of its interval, as a share of the ratio: 0.03 is ± 3 %. */
    fun halfWidth(confidence: Double = 0.95): Double = interval(confidence).high / ratio - 1

    /**
     * The same ratio, with its variance mixed with what is [usual], each weighted by its degrees of freedom (the
     * moderated t statistic; Smyth, 2004). To be called once.
     */
    internal fun mixedWith(usual: UsualVariance): PairedRatio {
        val freedom = degreesOfFreedom + usual.degreesOfFreedom
        val variance =
            (degreesOfFreedom * varianceOfBlock + usual.degreesOfFreedom * usual.varianceOfBlock) / freedom
        return PairedRatio(logRatio, sqrt(variance / blocks), freedom, components, blocks)
    }
}

/**
 * The ratio from the differences of logarithms ln(a ÷ b) of the rounds of each block; null below [MIN_TRIALS] blocks,
 * for the same reason as for trials.
 *
 * Blocks are the unit: processes differ, because the compiler decides otherwise in each, and rounds correlate with
 * their neighbours. Rounds as units would contain the truth in 67 of 100 cases instead of 95, where processes differ by
 * 5 % and have 20 rounds (`RoundCoverageTest`). So this is Student's interval for the means of the blocks.
 *
 * Blocks with different numbers of rounds: below five blocks all have the same weight, which is safe (95 to 98 of 100).
 * From five on, weights are 1 ÷ [VarianceComponents.varianceOfBlock], and the interval is that of Hartung and Knapp
 * (*Statistics in Medicine* 20, 2001), which uses the weighted variance of the means. If all blocks have the same
 * number of rounds, the two are the same.
 *
 * Rounds are averaged and none is dropped. Trimmed means of rounds are 8 to 20 % narrower in bursts of noise, but they
 * also drop the pauses of a stack itself (decision 0040).
 */
fun pairedRatio(blocks: List<List<Double>>): PairedRatio? {
    if (blocks.size < MIN_TRIALS) return null
    val components = varianceComponents(blocks)
    val weights = weights(blocks, components)
    val sum = weights.sum()
    val means = blocks.map { it.average() }
    val mean = means.indices.sumOf { weights[it] * means[it] } / sum
    val squares = means.indices.sumOf { weights[it] * (means[it] - mean) * (means[it] - mean) }
    val freedom = blocks.size - 1
    return PairedRatio(mean, sqrt(squares / freedom / sum), freedom.toDouble(), components, blocks.size)
}

private fun weights(blocks: List<List<Double>>, components: VarianceComponents?): List<Double> {
    val equal = blocks.all { it.size == blocks.first().size }
    if (components == null || equal || blocks.size < MIN_FOR_WEIGHTS) return blocks.map { 1.0 }
    val variances = blocks.map { components.varianceOfBlock(it.size) }
    return variances.map { if (it < NO_VARIANCE) return blocks.map { 1.0 } else 1 / it }
}

/**
 * With three blocks, of which one was cut off after its first round, weighted intervals hold the truth in 91.5 of 100
 * cases.
 */
private const val MIN_FOR_WEIGHTS = 5
