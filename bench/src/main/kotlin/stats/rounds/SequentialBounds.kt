package threadgauge.stats.rounds

import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.NormalDistribution
import threadgauge.stats.MIN_TRIALS

/**
 * Confidences with which a run may look after every block, stop when it knows enough, and report an interval that still
 * contains the truth in [confidence] of all cases.
 *
 * Looking costs, in two ways that are paid for separately:
 * - A run that stops when two stacks *differ* has many chances to be wrong. Stopping whenever a 95 % interval excludes
 *   1 makes 18 of 100 comparisons of equal stacks differ after at most 10 looks, and 27 after 28. So a difference stops
 *   a run only at [confidenceToTell], whose errors add up to no more than [TOLD] of the permitted error, 1 less
 *   [confidence], over all looks (alpha spending; Lan and DeMets, *Biometrika* 70, 1983).
 * - A run that stops when an interval is *narrow* stops sooner if its blocks agree by chance, so the interval is too
 *   narrow (Chow and Robbins, *Annals of Mathematical Statistics* 36, 1965): 90.2 instead of 95 in 100. So its
 *   confidence is higher where a run can stop early, [confidenceAfter].
 *
 * The reported interval is always the one at [confidenceAfter]; where a difference stopped the run, it shows it too.
 * Bounds without that division, with intervals at the confidence of the spent error (repeated confidence intervals;
 * Jennison and Turnbull, *Group Sequential Methods*, 2000, chapter 9), are right whatever stops a run, but contain the
 * truth in 97 to 99.9 of 100 cases and need half as many blocks again.
 *
 * The errors of telling are spent in proportion to the blocks, t¹ (the power family; Kim and DeMets, *Biometrika* 74,
 * 1987). O'Brien and Fleming's function spends nearly nothing at first: with few degrees of freedom Student's quantile
 * after three of 12 blocks would be 106, so that even a difference by a factor might not stop a run. The bounds are
 * those of normal values, turned into quantiles of Student's distribution of the same probability (the significance
 * level approach; Jennison and Turnbull, chapter 11).
 *
 * Looks are after [MIN_TRIALS] to [maxBlocks] blocks. [maxBlocks] must be known before the first look. It may follow
 * from a budget, and from how much rounds vary, never from the ratios.
 */
class SequentialBounds(val maxBlocks: Int, val confidence: Double = 0.95) {
    private val permitted = 1 - confidence
    private val errorsToTell: List<Double> by lazy(::errorsOfLooks)

    init {
        require(maxBlocks >= MIN_TRIALS) { "$maxBlocks blocks" }
    }

    /**
     * Confidence of the interval that is reported if the run ends after [blocks], and of the one that must be narrow
     * enough to end it; for [PairedRatio.interval]. A run that ends for another reason, such as its user, uses it too.
     */
    fun confidenceAfter(blocks: Int): Double {
        require(blocks in MIN_TRIALS..maxBlocks) { "$blocks of $maxBlocks blocks" }
        val chosen = blocks != MIN_TRIALS && blocks != maxBlocks
        return 1 - permitted * if (chosen) EARLY else FIRST_OR_LAST
    }

    /** Confidence of the interval that must exclude equality to end the run; at least [confidenceAfter]. */
    fun confidenceToTell(blocks: Int): Double {
        val after = confidenceAfter(blocks)
        return if (blocks == maxBlocks) after else maxOf(after, 1 - errorsToTell[blocks - MIN_TRIALS])
    }

    /**
     * Two-sided error of each look alone. The sum of the blocks' standardised values is followed from look to look, as
     * long as it stays within the bounds (Armitage, McPherson and Rowe, *J. Royal Statistical Society A* 132, 1969).
     */
    private fun errorsOfLooks(): List<Double> {
        var inside: Density? = null
        return (MIN_TRIALS..maxBlocks).map { blocks ->
            val before = inside
            val bound = if (before == null) {
                sqrt(blocks.toDouble()) * NORMAL.inverseSurvivalProbability(spentAfter(blocks) / 2)
            } else {
                before.boundFor(spentAfter(blocks) - spentAfter(blocks - 1))
            }
            inside = before?.next(bound) ?: Density.first(blocks, bound)
            2 * NORMAL.survivalProbability(bound / sqrt(blocks.toDouble()))
        }
    }

    private fun spentAfter(blocks: Int) = permitted * TOLD * blocks / maxBlocks

    /**
     * Shares of the permitted error, chosen by simulation (`SequentialBoundsTest`): with these, coverage is 93.6 to
     * 96.5 % for 4 to 30 blocks, deviations of blocks from 0.5 to 20 %, and differences from 0 to 10 %.
     */
    private companion object {
        /** Of telling, over all looks. */
        const val TOLD = 0.3

        /** Of an interval that could have been waited for. */
        const val EARLY = 0.4

        /** Nothing was waited for before the first look, nor can be after the last one. */
        const val FIRST_OR_LAST = 0.7
    }
}

/** Density of a sum of standard normal values that has stayed within all bounds so far, on points with weights. */
private class Density(private val points: DoubleArray, private val masses: DoubleArray) {
    /** The bound that the sum exceeds on either side with probability [error] after one more value. */
    fun boundFor(error: Double): Double {
        var low = 0.0
        var high = points.last() + FAR
        repeat(HALVINGS) {
            val middle = (low + high) / 2
            if (beyond(middle) > error) low = middle else high = middle
        }
        return high
    }

    private fun beyond(bound: Double) = points.indices.sumOf {
        masses[it] * (NORMAL.survivalProbability(bound - points[it]) + NORMAL.survivalProbability(bound + points[it]))
    }

    fun next(bound: Double) = within(bound) { at ->
        points.indices.sumOf { masses[it] * NORMAL.density(at - points[it]) }
    }

    companion object {
        fun first(values: Int, bound: Double): Density {
            val normal = NormalDistribution.of(0.0, sqrt(values.toDouble()))
            return within(bound, normal::density)
        }

        /** By Simpson's rule. */
        private fun within(bound: Double, density: (Double) -> Double): Density {
            val step = 2 * bound / (POINTS - 1)
            val points = DoubleArray(POINTS) { -bound + it * step }
            val masses = DoubleArray(POINTS) {
                val weight = if (it == 0 || it == POINTS - 1) 1 else if (it % 2 == 1) 4 else 2
                weight * step / 3 * density(points[it])
            }
            return Density(points, masses)
        }
    }
}

private val NORMAL = NormalDistribution.of(0.0, 1.0)
private const val POINTS = 201
private const val HALVINGS = 45

/** Standard deviations within which one more value surely stays. */
private const val FAR = 8.0
