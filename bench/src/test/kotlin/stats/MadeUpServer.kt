package threadgauge.stats

import java.util.Random
import kotlin.math.exp
import kotlin.math.ln

/** What came of a made-up probe: latencies in seconds, in the order of arrival, and the moments of arrival. */
internal class MadeUpProbe(val arrivals: DoubleArray, val latencies: DoubleArray, val seconds: Double) {
    val offered get() = arrivals.size / seconds

    private val sorted by lazy { latencies.sortedArray() }

    fun percentile(share: Double): Double = sorted[((sorted.size - 1) * share).toInt()]

    /** Median of the requests of each whole second. */
    fun medians(): List<Double> = arrivals.indices.groupBy { arrivals[it].toInt() }.toSortedMap().values
        .map { second -> second.map { latencies[it] }.sorted().let { it[it.size / 2] } }
}

/**
 * A server with one queue, whose service times come from [service], in seconds. Requests arrive as a Poisson process.
 */
internal class MadeUpServer(private val random: Random, private val service: Random.() -> Double) {
    fun probe(perSecond: Double, seconds: Double): MadeUpProbe {
        val arrivals = ArrayList<Double>()
        var now = -ln(1 - random.nextDouble()) / perSecond
        while (now < seconds) {
            arrivals += now
            now += -ln(1 - random.nextDouble()) / perSecond
        }
        var free = 0.0
        val latencies = DoubleArray(arrivals.size) {
            free = maxOf(free, arrivals[it]) + random.service()
            free - arrivals[it]
        }
        return MadeUpProbe(arrivals.toDoubleArray(), latencies, seconds)
    }

    companion object {
        /** Serves exactly [perSecond], as a token bucket does. */
        fun capped(perSecond: Double, seed: Long) = MadeUpServer(Random(seed)) { 1 / perSecond }

        /** Service times with an exponential distribution: the M/M/1 queue. */
        fun exponential(perSecond: Double, seed: Long) =
            MadeUpServer(Random(seed)) { -ln(1 - nextDouble()) / perSecond }

        /** Service times that vary widely, with a hiccup of [hiccupSeconds] in one request of [hiccupEvery]. */
        fun noisy(perSecond: Double, seed: Long, hiccupSeconds: Double = 0.15, hiccupEvery: Int = 100_000) =
            MadeUpServer(Random(seed)) {
                val usual = exp(nextGaussian() * 0.8 - 0.32) / perSecond
                if (nextInt(hiccupEvery) == 0) usual + hiccupSeconds else usual
            }
    }
}

/** Share of 1 to [times] for which [block] holds. */
internal fun shareOf(times: Int, block: (Int) -> Boolean): Double = (1..times).count(block).toDouble() / times
