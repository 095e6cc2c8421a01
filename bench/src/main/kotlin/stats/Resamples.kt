package threadgauge.stats

import java.util.SplittableRandom
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.pow

/**
 * What a statistic of [trials] whole trials would have been, had the trials come out otherwise: its value in resamples
 * of as many trials, drawn with replacement. A trial is drawn or not as a whole, with all its requests and seconds:
 * drawing within it besides would count its inner spread twice, because a trial's own figure already varies by it
 * (Davison and Hinkley, *Bootstrap Methods and their Application*, 1997, section 3.8).
 *
 * Up to [MAX_ENUMERATED] trials every possible resample is taken, each with its probability, so that nothing is left to
 * chance; above, [DRAWS] draws with a fixed seed.
 */
class Resamples private constructor(
    val trials: Int,
    private val values: DoubleArray,
    private val probabilities: DoubleArray,
) {
    private val upTo = DoubleArray(values.size).also { sums ->
        var sum = 0.0
        for (i in values.indices) {
            sum += probabilities[i]
            sums[i] = sum
        }
    }

    /**
     * Of the statistic itself: larger than that of the resamples, which are less varied than what they were drawn from.
     */
    val variance: Double
        get() {
            val mean = values.indices.sumOf { values[it] * probabilities[it] }
            val drawn = values.indices.sumOf { probabilities[it] * (values[it] - mean) * (values[it] - mean) }
            return drawn * trials / (trials - 1)
        }

    /** Ten times the chance of the rarest resample, or more, lies in this [tail]: enough to tell where it begins. */
    internal fun resolve(tail: Double): Boolean =
        tail >= MIN_IN_TAIL * if (trials <= MAX_ENUMERATED) trials.toDouble().pow(-trials) else 1.0 / DRAWS

    /** Smallest of the values below or at which the [share] of all resamples lies. */
    internal fun quantile(share: Double): Double {
        val at = upTo.indexOfFirst { it >= share }
        return if (at < 0) values.last() else values[at]
    }

    /**
     * Smallest difference (this − [other]) below or at which the [share] of all pairs lies, to one part in 10⁹ of the
     * range.
     */
    internal fun quantileOfDifference(other: Resamples, share: Double): Double {
        var low = values.first() - other.values.last()
        var high = values.last() - other.values.first()
        val enough = (high - low) * 1e-9
        while (high - low > enough) {
            val middle = (low + high) / 2
            if (shareOfDifferencesUpTo(other, middle) >= share) high = middle else low = middle
        }
        return high
    }

    private fun shareOfDifferencesUpTo(other: Resamples, difference: Double): Double {
        var sum = 0.0
        var mine = 0
        for (i in other.values.indices) {
            while (mine < values.size && values[mine] - other.values[i] <= difference) mine++
            if (mine > 0) sum += other.probabilities[i] * upTo[mine - 1]
        }
        return sum
    }

    companion object {
        /**
         * [statistic] is given how often each trial is in a resample; the counts add up to [trials], which must be 2 or
         * more. It must be finite for every resample.
         */
        fun of(trials: Int, statistic: (IntArray) -> Double): Resamples {
            require(trials >= 2) { "$trials trials cannot be resampled" }
            val draws = if (trials <= MAX_KEPT) kept[trials].value else random(trials)
            val valued =
                draws.mapTo(ArrayList(draws.size)) { Valued(statistic(it.counts), it.probability) }.apply { sort() }
            return Resamples(
                trials, DoubleArray(valued.size) { valued[it].value },
                DoubleArray(valued.size) { valued[it].probability },
            )
        }

        /** By the number of trials. Threads may share them: nobody changes a draw. */
        private val kept = List(MAX_KEPT + 1) { lazy { if (it <= MAX_ENUMERATED) enumerated(it) else random(it) } }
    }
}

private class Valued(val value: Double, val probability: Double) : Comparable<Valued> {
    override fun compareTo(other: Valued) = value.compareTo(other.value)
}

private class Draw(val counts: IntArray, val probability: Double)

/** All ways of sharing out n draws among n trials, with their multinomial probabilities. */
private fun enumerated(trials: Int): List<Draw> = buildList {
    val logFactorials = DoubleArray(trials + 1)
    for (k in 2..trials) logFactorials[k] = logFactorials[k - 1] + ln(k.toDouble())
    val counts = IntArray(trials)
    fun share(at: Int, left: Int) {
        if (at == trials - 1) {
            counts[at] = left
            val log = logFactorials[trials] - trials * ln(trials.toDouble()) - counts.sumOf { logFactorials[it] }
            add(Draw(counts.clone(), exp(log)))
            return
        }
        for (taken in 0..left) {
            counts[at] = taken
            share(at + 1, left - taken)
        }
    }
    share(0, trials)
}

private fun random(trials: Int): List<Draw> {
    val random = SplittableRandom(SEED)
    return List(DRAWS) {
        val counts = IntArray(trials)
        repeat(trials) { counts[random.nextInt(trials)]++ }
        Draw(counts, 1.0 / DRAWS)
    }
}

/** Seven trials can be resampled in 1,716 different ways, eight in 6,435. */
private const val MAX_ENUMERATED = 7

/** More trials are rare, and their draws are made each time. */
private const val MAX_KEPT = 20

/** Below this the intervals of five trials hold the truth in 92 of 100 cases, as measured by the tests of coverage. */
private const val MIN_IN_TAIL = 10.0
private const val DRAWS = 4_000
private const val SEED = 20_151_215L
