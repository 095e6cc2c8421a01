package threadgauge.stats.rounds

import kotlin.math.abs
import kotlin.math.sqrt
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.NO_VARIANCE
import threadgauge.stats.studentQuantile

/**
 * Rounds, adjusted for a cause from outside by analysis of covariance: the difference of time that the host took, say,
 * between the two slices of a round.
 */
class RoundCovariate private constructor(
    /** Change of ln(a ÷ b) per unit of the covariate's difference, the same in all blocks. */
    val slope: Double,
    /** What [pairedRatio] takes. */
    val adjusted: List<List<Double>>,
    /** Share of the variance within blocks that the covariate explains, [MIN_EXPLAINED] to 1. */
    val explained: Double,
) {
    companion object {
        /**
         * [covariate] has the difference (a − b) of the covariate for every round of [blocks], in the same order: of
         * the logarithms of the reference loop's times, or of the shares of stolen time.
         *
         * The slope is fitted within the blocks (Fisher, *Statistical Methods for Research Workers*, 4th edition, 1932,
         * section 49.1), and blocks stay the unit. So the slope needs none of their few degrees of freedom, and the
         * interval is right even if the slope is wrong, if slopes differ between processes, or if the covariate
         * matters only in bursts: the order of the slices is random, so the covariate differs only by chance and any
         * slope times it has the mean zero (Lin, *Annals of Applied Statistics* 7, 2013).
         *
         * That is only so for a cause from outside. If a stack itself moves the covariate, its part of the difference
         * is taken away: where it slows its own core down by 1 %, with 12 blocks of 20 rounds, intervals contain the
         * ratio as measured in 74 of 100 cases. They are intervals of the ratio at equal values of the covariate then.
         *
         * Null, whatever the figures, where
         * - fewer than [MIN_TRIALS] blocks are there, or fewer than [MIN_FREEDOM] rounds to fit the slope to;
         * - the covariate hardly varies, or explains less than [MIN_EXPLAINED] of the variance within the blocks, so
         *   that there is nothing to gain: of which ratio the blocks have, that says nothing;
         * - its mean differs between the stacks by more than chance (Student for blocks, 99 %): a stack moves it.
         *   At 95 % every twentieth comparison would lose its adjustment when it needs it most; intervals would contain
         *   the truth in 92.7 of 100 cases instead of 94.
         */
        fun of(blocks: List<List<Double>>, covariate: List<List<Double>>): RoundCovariate? {
            require(blocks.map { it.size } == covariate.map { it.size }) { "a round has no covariate, or has two" }
            if (blocks.size < MIN_TRIALS || blocks.sumOf { it.size } - blocks.size - 1 < MIN_FREEDOM) return null
            val squares = squaresWithin(covariate)
            if (squares < NO_VARIANCE || isMoved(covariate.map { it.average() })) return null
            val products = blocks.indices.sumOf { products(blocks[it], covariate[it]) }
            val slope = products / squares
            val explained = products * slope / squaresWithin(blocks)
            // Not a number where the rounds do not vary.
            if (explained.isNaN() || explained < MIN_EXPLAINED) return null
            val adjusted = blocks.zip(covariate) { values, xs -> values.zip(xs) { value, x -> value - slope * x } }
            return RoundCovariate(slope, adjusted, minOf(1.0, explained))
        }

        private fun products(values: List<Double>, xs: List<Double>): Double {
            val mean = values.average()
            return values.indices.sumOf { (values[it] - mean) * xs[it] }
        }

        private fun isMoved(means: List<Double>): Boolean {
            val mean = means.average()
            val variance = means.sumOf { (it - mean) * (it - mean) } / (means.size - 1)
            return abs(mean) > studentQuantile(0.99, means.size - 1.0) * sqrt(variance / means.size)
        }

        /** A tenth of the variance is a twentieth of the width of an interval, and more than chance in most plans. */
        const val MIN_EXPLAINED = 0.1

        /** A slope that was fitted to ten rounds widens intervals by at most 5 % where it explains nothing. */
        private const val MIN_FREEDOM = 10
    }
}
