package threadgauge.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

/**
 * Trials of one stack: the figure of each, and the time of the reference loop on the target's core around it. Both as
 * logarithms, in the same order.
 */
class Timed private constructor(private val figures: DoubleArray, private val works: DoubleArray) {
    val trials: Int get() = figures.size
    internal val figure = figures.average()
    internal val work = works.average()

    /** Sums of squares and products about the means. */
    internal val workSquares = works.sumOf { (it - work) * (it - work) }
    internal val products = figures.indices.sumOf { (figures[it] - figure) * (works[it] - work) }

    /** Variance that the [slope] does not explain. */
    internal fun residualSquares(slope: Double): Double =
        figures.indices.sumOf { i -> (figures[i] - figure - slope * (works[i] - work)).let { it * it } }

    companion object {
        /**
         * Null below [MIN_TRIALS] and where a value is not positive. Both lists have one value for each trial, in the
         * same order.
         */
        fun of(figures: List<Double>, works: List<Double>): Timed? {
            require(figures.size == works.size) { "${figures.size} figures, but ${works.size} pieces of work" }
            if (figures.size < MIN_TRIALS || (figures + works).any { it <= 0 }) return null
            return Timed(DoubleArray(figures.size) { ln(figures[it]) }, DoubleArray(works.size) { ln(works[it]) })
        }
    }
}

/**
 * Ratios of stacks, corrected for differences in core speed by analysis of covariance.
 *
 * The dependence of a figure on the core's speed is one [slope] for all [stacks] of a situation, fitted within the
 * stacks, so that differences between them do not affect it (Fisher, *Statistical Methods for Research Workers*, 4th
 * edition, 1932, section 49.1). It is valid even with a wrong slope: stacks and trials are in random order, so the
 * adjustment changes the ratio only by chance, and by no more than the slope explains (Lin, *Annals of Applied
 * Statistics* 7, 2013). It is invalid if a stack itself slows down the core, which [isComparable] tests.
 */
class CoreSpeed private constructor(private val stacks: List<Timed>) {
    private val workSquares = stacks.sumOf { it.workSquares }

    /**
     * Change of the figure's logarithm per change of the logarithm of the loop's time. −1: the stack needs only the
     * core.
     */
    val slope: Double = stacks.sumOf { it.products } / workSquares

    private val freedom = stacks.sumOf { it.trials - 1 } - 1.0
    private val slopeVariance = stacks.sumOf { it.residualSquares(slope) } / freedom / workSquares

    /**
     * No evidence that one of the two slows down the core more than the other: their times of the loop differ only by
     * chance.
     */
    fun isComparable(top: Timed, bottom: Timed): Boolean {
        val a = top.workSquares / (top.trials - 1) / top.trials
        val b = bottom.workSquares / (bottom.trials - 1) / bottom.trials
        val freedom = satterthwaite(a, top.trials - 1.0, b, bottom.trials - 1.0)
        return abs(top.work - bottom.work) <= studentQuantile(0.95, freedom) * sqrt(a + b)
    }

    /**
     * The slope costs degrees of freedom. It is used if they raise Student's quantile by at most [MAX_QUANTILE_RATIO]
     * for either stack. The decision depends only on the times of the loop, never on the figures: choosing the narrower
     * interval would make intervals with too little coverage. If one of three trials met another core speed than all
     * others, the cost is nearly half of the degrees of freedom (decision 0023).
     */
    fun isWorthIt(top: Timed, bottom: Timed, confidence: Double): Boolean = listOf(top, bottom).all {
        studentQuantile(confidence, freedom(it)) <= MAX_QUANTILE_RATIO * studentQuantile(confidence, it.trials - 1.0)
    }

    /** [top] ÷ [bottom] at equal core speed; both must be of the stacks. */
    fun ratio(top: Timed, bottom: Timed, confidence: Double): AdjustedRatio {
        val apart = top.work - bottom.work
        val (a, b) = variance(top) to variance(bottom)
        val freedom = satterthwaite(a, freedom(top), b, freedom(bottom))
        return AdjustedRatio(
            centre = top.figure - bottom.figure - slope * apart,
            error = sqrt(a + b + apart * apart * slopeVariance),
            quantile = studentQuantile(confidence, freedom),
            varianceOfOne = a * top.trials + b * bottom.trials,
        )
    }

    /** The slope takes from the degrees of freedom of each stack the share that its trials contribute to the slope. */
    private fun freedom(stack: Timed) = stack.trials - 1 - stack.workSquares / workSquares

    private fun variance(stack: Timed) = stack.residualSquares(slope) / freedom(stack) / stack.trials

    companion object {
        /** Null for fewer than two stacks, and where the core speed was constant. */
        fun of(stacks: List<Timed>): CoreSpeed? =
            if (stacks.size < 2 || stacks.sumOf { it.workSquares } < NO_VARIANCE) null else CoreSpeed(stacks)
    }
}

/** The interval of a ratio, from its logarithm with standard error and Student's [quantile]. */
class AdjustedRatio internal constructor(centre: Double, error: Double, quantile: Double, val varianceOfOne: Double) {
    val ratio: Double = exp(centre)
    val interval: Interval = around(centre, quantile * error)
}
