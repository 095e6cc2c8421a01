package threadgauge.load.schedule

import java.util.SplittableRandom
import kotlin.math.ceil
import kotlin.math.ln

/**
 * Arrivals of many independent users: [perSecond] on average, at random times. The same [seed] gives the same times.
 *
 * Each second (the last one may be shorter) has a number of arrivals drawn from the Poisson distribution, at uniformly
 * distributed times, sorted: given their number, that is how the arrivals of a Poisson process are distributed (Ross,
 * *Introduction to Probability Models*, 5.3.5). So any second can be generated without those before it, and the
 * sequence stays a function of `k`.
 *
 * Caches the times of the second requested last; belongs to one thread. Throws `IllegalArgumentException` on a rate or
 * length that is not positive.
 */
class Poisson(val perSecond: Double, override val lengthNanos: Long, val seed: Long) : Schedule {
    init {
        require(perSecond > 0 && lengthNanos > 0) { "Poisson arrivals need a positive rate and length" }
    }

    private val seconds = ceil(lengthNanos / 1e9).toInt()
    private val firstArrivals = LongArray(seconds + 1).also { sums ->
        for (second in 0..<seconds) sums[second + 1] = sums[second] + count(second)
    }
    private var kept = -1
    private var moments = LongArray(0)

    override val size = firstArrivals[seconds]

    override fun intendedNanos(k: Long): Long {
        if (kept < 0 || k < firstArrivals[kept] || k >= firstArrivals[kept + 1]) keep(secondOf(k))
        return moments[(k - firstArrivals[kept]).toInt()]
    }

    private fun secondOf(k: Long): Int {
        // Binary search by hand: the standard one promises nothing about which of several equal sums it finds.
        var low = 0
        var high = seconds - 1
        while (low < high) {
            val middle = (low + high) ushr 1
            if (firstArrivals[middle + 1] > k) high = middle else low = middle + 1
        }
        return low
    }

    private fun keep(second: Int) {
        val random = randomOf(second, MOMENTS)
        val start = second * 1_000_000_000L
        moments = LongArray((firstArrivals[second + 1] - firstArrivals[second]).toInt()) {
            start + random.nextLong(lengthOf(second))
        }
        moments.sort()
        kept = second
    }

    /**
     * Counts exponential intervals until they fill the second (Knuth, *Seminumerical Algorithms*, 3.4.1), in
     * logarithms.
     */
    private fun count(second: Int): Long {
        val random = randomOf(second, COUNT)
        val mean = perSecond * lengthOf(second) / 1e9
        var arrivals = -1L
        var passed = 0.0
        while (passed <= mean) {
            passed -= ln(1 - random.nextDouble())
            arrivals++
        }
        return arrivals
    }

    private fun lengthOf(second: Int) = minOf(1_000_000_000L, lengthNanos - second * 1_000_000_000L)

    private fun randomOf(second: Int, purpose: Long) =
        SplittableRandom(SplittableRandom(seed + purpose).nextLong() + second)

    private companion object {
        const val COUNT = 0x1234_5678L
        const val MOMENTS = 0x5EED_0F_A11L
    }
}
