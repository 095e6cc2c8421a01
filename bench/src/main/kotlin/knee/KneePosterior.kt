package threadgauge.knee

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import threadgauge.stats.Interval

/** One probe at [perSecond] as a Bernoulli trial: did it meet the goals? */
data class Attempt(val perSecond: Double, val kept: Boolean)

/**
 * The posterior of the knee, given the attempts so far. Near the knee it is random whether a probe meets its goals, so
 * each attempt is a draw with
 *
 * > P(kept at r) = 1 − a − (1 − a − b) / (1 + exp((ln θ − ln r) / s))
 *
 * θ is the knee: the rate at which a probe meets its goals with probability 1/2 (apart from lapses). s is the width of
 * the transition, from a step to 42 % of the rate. a and b are lapse rates: of a probe far below the knee that misses
 * its goals because of a disturbance, and of one far above it that meets them. The prior is uniform over the grid of ln
 * θ and ln s. Psychophysics finds thresholds in this way (Watson and Pelli, "QUEST", *Perception & Psychophysics* 33,
 * 1983; Kontsevich and Tyler, *Vision Research* 39, 1999, for the unknown slope).
 *
 * Intervals are valid if the attempts are independent and the knee does not move.
 */
class KneePosterior private constructor(private val logRates: DoubleArray, private val weights: DoubleArray) {
    val median: Double get() = quantile(0.5)

    /** The quantile of the knee: the rate below which it lies with probability [share]. */
    fun quantile(share: Double): Double {
        var sum = 0.0
        for (index in weights.indices) {
            val before = sum
            sum += weights[index]
            if (sum >= share && index > 0) {
                val part = if (weights[index] > 0) (share - before) / weights[index] else 0.0
                return exp(logRates[index - 1] + part.coerceIn(0.0, 1.0) * (logRates[index] - logRates[index - 1]))
            }
        }
        return exp(logRates.last())
    }

    /** Contains the knee with probability [confidence]; the rest is equally likely below and above. */
    fun interval(confidence: Double = 0.95) = Interval(quantile((1 - confidence) / 2), quantile((1 + confidence) / 2))

    /**
     * Contains the ratio of this knee to [other] with probability [confidence], if the two are independent: quantiles
     * of the difference of their logarithms, over all pairs of points of the two grids.
     */
    fun ratioTo(other: KneePosterior, confidence: Double = 0.95): Interval {
        val tail = (1 - confidence) / 2
        return Interval(ratioQuantile(other, tail), ratioQuantile(other, 1 - tail))
    }

    private fun ratioQuantile(other: KneePosterior, share: Double): Double {
        var low = logRates.first() - other.logRates.last()
        var high = logRates.last() - other.logRates.first()
        repeat(HALVINGS) {
            val middle = (low + high) / 2
            if (shareBelow(other, middle) < share) low = middle else high = middle
        }
        return exp((low + high) / 2)
    }

    /** Probability that the logarithm of this knee exceeds that of [other] by at most [difference]. */
    private fun shareBelow(other: KneePosterior, difference: Double): Double {
        var sum = 0.0
        var below = 0.0 // weight of this knee up to the point `upTo`
        var upTo = 0
        for (index in other.weights.indices) {
            val highest = other.logRates[index] + difference
            while (upTo < logRates.size && logRates[upTo] <= highest) below += weights[upTo++]
            sum += other.weights[index] * below
        }
        return sum
    }

    companion object {
        /** The knee is searched from [lowest] to [highest]; [attempts] must not be empty. */
        fun of(attempts: List<Attempt>, lowest: Double, highest: Double): KneePosterior {
            require(attempts.isNotEmpty() && lowest > 0 && highest > lowest) { "no attempts, or no room for a knee" }
            val from = ln(maxOf(lowest, attempts.minOf { it.perSecond } / BEYOND))
            val to = ln(minOf(highest, attempts.maxOf { it.perSecond } * BEYOND))
            val grid = DoubleArray(POINTS) { from + (to - from) * it / (POINTS - 1) }
            val logs = DoubleArray(attempts.size) { ln(attempts[it].perSecond) }
            val likelihoods =
                WIDTHS.map { width -> DoubleArray(POINTS) { logLikelihood(grid[it], width, attempts, logs) } }
            val greatest = likelihoods.maxOf { it.max() }
            val weights = DoubleArray(POINTS) { point -> likelihoods.sumOf { exp(it[point] - greatest) } }
            val sum = weights.sum()
            return KneePosterior(grid, DoubleArray(POINTS) { weights[it] / sum })
        }

        private fun logLikelihood(knee: Double, width: Double, attempts: List<Attempt>, logs: DoubleArray): Double {
            var sum = 0.0
            for (index in attempts.indices) {
                val kept = 1 - HICCUP - (1 - HICCUP - MIRACLE) * logistic((logs[index] - knee) / width)
                sum += ln(if (attempts[index].kept) kept else 1 - kept)
            }
            return sum
        }

        private fun logistic(x: Double) = if (abs(x) > 40) (if (x > 0) 1.0 else 0.0) else 1 / (1 + exp(-x))

        /** The grid is wide enough that a misleading early probe does not exclude the knee. */
        private const val BEYOND = 2.0

        /** Over a range of a factor of six this is a grid of 0.3 %. Quantiles are interpolated. */
        private const val POINTS = 601

        /**
         * In logarithms of the rate: from 0.2 %, which no probe can distinguish from a step, to 8 %, with which the
         * probability rises from 0.1 to 0.9 over 42 % of the rate.
         */
        private val WIDTHS = List(7) { 0.002 * exp(ln(40.0) * it / 6) }

        /**
         * One in twenty probes below the knee misses its goals for another reason than the rate, such as a garbage
         * collection or another program.
         */
        private const val HICCUP = 0.05
        private const val MIRACLE = 0.01

        /** Of the widest difference, a factor of some thousands, until it is less than a millionth. */
        private const val HALVINGS = 30
    }
}
