package threadgauge.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

/**
 * Trials of one stack: what each measured, and how long a fixed piece of work took meanwhile on the core that it was
 * measured on. Both as logarithms, in the same order.
 */
class Timed private constructor(private val figures: DoubleArray, private val works: DoubleArray) {
    val trials: Int get() = figures.size
    internal val figure = figures.average()
    internal val work = works.average()

    /** Sums of squares and products about the means. */
    internal val workSquares = works.sumOf { (it - work) * (it - work) }
    internal val products = figures.indices.sumOf { (figures[it] - figure) * (works[it] - work) }

    /** Of what the [slope] leaves unexplained. */
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
 * Ratios of stacks as they would be, had the core been as fast for each: analysis of covariance.
 *
 * How a figure goes with the core's speed is one [slope] for all [stacks] of a situation, fitted within each of them,
 * so that no difference between stacks can make it (Fisher, *Statistical Methods for Research Workers*, 4th edition,
 * 1932, section 49.1). It is right also where the slope is not: stacks and trials were put in a random order, and then
 * the adjustment moves the ratio by chance alone, and by as little as the slope explains (Lin, *Annals of Applied
 * Statistics* 7, 2013). It is wrong where a stack itself makes the core slower, which [isComparable] looks for.
 */
class CoreSpeed private constructor(private val stacks: List<Timed>) {
    private val workSquares = stacks.sumOf { it.workSquares }

    /**
     * By how much the figure's logarithm changes with that of the work's time. −1: the stack needs nothing but the
     * core.
     */
    val slope: Double = stacks.sumOf { it.products } / workSquares

    private val freedom = stacks.sumOf { it.trials - 1 } - 1.0
    private val slopeVariance = stacks.sumOf { it.residualSquares(slope) } / freedom / workSquares

    /**
     * No sign that one of the two makes the core slower than the other does: their times of the work differ by no more
     * than by chance.
     */
    fun isComparable(top: Timed, bottom: Timed): Boolean {
        val a = top.workSquares / (top.trials - 1) / top.trials
        val b = bottom.workSquares / (bottom.trials - 1) / bottom.trials
        val freedom = satterthwaite(a, top.trials - 1.0, b, bottom.trials - 1.0)
        return abs(top.work - bottom.work) <= studentQuantile(0.95, freedom) * sqrt(a + b)
    }

    /**
     * The degrees of freedom that the slope takes from the two raise Student's quantile by no more than it is worth,
     * [DEAREST] for either. By the times of the work alone, never by the figures: to take whichever interval is
     * narrower would make intervals that hold too little. Of three trials one that met another core than all others
     * takes nearly half of what there is (decision 0023).
     */
    fun isWorthIt(top: Timed, bottom: Timed, confidence: Double): Boolean = listOf(top, bottom).all {
        studentQuantile(confidence, freedom(it)) <= DEAREST * studentQuantile(confidence, it.trials - 1.0)
    }

    /** [top] ÷ [bottom] on a core of equal speed; both must be of the stacks. */
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

    /** The slope takes from each stack's degrees of freedom what that stack's trials say about it. */
    private fun freedom(stack: Timed) = stack.trials - 1 - stack.workSquares / workSquares

    private fun variance(stack: Timed) = stack.residualSquares(slope) / freedom(stack) / stack.trials

    companion object {
        /** Null for fewer than two stacks, and where the core was always equally fast. */
        fun of(stacks: List<Timed>): CoreSpeed? =
            if (stacks.size < 2 || stacks.sumOf { it.workSquares } < NO_VARIANCE) null else CoreSpeed(stacks)
    }
}

/** From a ratio's logarithm with its standard error and Student's [quantile]. */
class AdjustedRatio internal constructor(centre: Double, error: Double, quantile: Double, val varianceOfOne: Double) {
    val ratio: Double = exp(centre)
    val interval: Interval = around(centre, quantile * error)
}
