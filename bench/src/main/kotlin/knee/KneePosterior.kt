package threadgauge.knee

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import threadgauge.stats.Interval

/** One probe at [perSecond], seen as a coin: were the goals kept? */
data class Attempt(val perSecond: Double, val kept: Boolean)

/**
 * Where the knee lies, given the attempts so far. Near the knee whether a probe keeps its goals is a matter of luck,
 * so each attempt is taken as a draw with
 *
 * > P(kept at r) = 1 − a − (1 − a − b) / (1 + exp((ln θ − ln r) / s))
 *
 * θ is the knee: the rate at which a probe is as likely to keep its goals as to break them (but for the lapses). s is
 * how gradual the change is, from one that looks like a step to one over two fifths of the rate. a and b are lapses:
 * a probe far below the knee that is broken by a hiccup of the machine, and one far above it that is kept. Before any
 * attempt every ln θ and every ln s of the grid is as likely as every other. This is how psychologists find
 * thresholds (Watson and Pelli, "QUEST", *Perception & Psychophysics* 33, 1983; Kontsevich and Tyler, *Vision
 * Research* 39, 1999, for the unknown slope).
 *
 * Intervals are right as far as that holds: each attempt independent of the others, and the knee where it was all the
 * time.
 */
class KneePosterior private constructor(private val logRates: DoubleArray, private val weights: DoubleArray) {
    val median: Double get() = quantile(0.5)

    /** The rate below which the knee lies with probability [share]. */
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

    /** Holds the knee with probability [confidence]; as much of the rest lies below as above. */
    fun interval(confidence: Double = 0.95) = Interval(quantile((1 - confidence) / 2), quantile((1 + confidence) / 2))

    companion object {
        /** [lowest] to [highest] is where the knee can be; [attempts] must not be empty. */
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

        /** A probe that misleads the search early on must not shut the knee out. */
        private const val BEYOND = 2.0

        /** Over a range of six this is a grid of 0.3 %, and quantiles lie between its points. */
        private const val POINTS = 601

        /**
         * In logarithms of the rate: from 0.2 %, which no probe can distinguish from a step, to 8 %, with which the
         * probability goes from 1 in 10 to 9 in 10 over 42 % of the rate.
         */
        private val WIDTHS = List(7) { 0.002 * exp(ln(40.0) * it / 6) }

        /**
         * One probe in twenty below the knee is broken by something that is not the rate, such as a garbage collection
         * or another program.
         */
        private const val HICCUP = 0.05
        private const val MIRACLE = 0.01
    }
}
