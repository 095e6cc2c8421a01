package threadgauge.stats

import org.HdrHistogram.Histogram
import java.nio.ByteBuffer
import java.util.Base64
import kotlin.math.ln

/**
 * The latencies of several repeats as one distribution: a percentile of it is that of all requests of all repeats together.
 * Histograms are added, never their percentiles averaged. Each repeat has the same weight, whatever its number of requests.
 */
class Merged(repeats: List<Histogram>) {
    private val size = repeats.size

    /** All values that occur in any repeat, rising. */
    private val values: LongArray = repeats.flatMap { repeat -> repeat.recordedValues().map { it.valueIteratedTo } }
        .distinct().sorted().toLongArray()

    /** For each repeat the share of its requests up to each of [values]. */
    private val shares: List<DoubleArray> = repeats.map { repeat ->
        val shares = DoubleArray(values.size)
        var at = 0
        var sum = 0L
        for (recorded in repeat.recordedValues()) {
            while (values[at] < recorded.valueIteratedTo) shares[at++] = sum.toDouble() / repeat.totalCount
            sum += recorded.countAddedInThisIterationStep
        }
        while (at < values.size) shares[at++] = sum.toDouble() / repeat.totalCount
        shares
    }

    init {
        require(repeats.isNotEmpty() && repeats.all { it.totalCount > 0 }) { "a repeat without requests has no latencies" }
    }

    /** The [share]th part of all requests is no slower: 0.99 for p99. In the histograms' unit. */
    fun percentile(share: Double): Double = percentile(share) { 1 }

    /** Spread of that percentile over resamples of the repeats; null below [FEWEST_REPEATS] repeats, and where it is zero. */
    fun spread(share: Double): Spread? {
        if (size < FEWEST_REPEATS || values.first() <= 0) return null
        return Spread(ln(percentile(share)), size) { counts -> ln(percentile(share) { counts[it] }) }
    }

    private inline fun percentile(share: Double, weight: (Int) -> Int): Double {
        val wanted = share * size - 1e-9
        var low = 0
        var high = values.size - 1
        while (low < high) {
            val middle = (low + high) / 2
            var sum = 0.0
            for (repeat in 0..<size) sum += weight(repeat) * shares[repeat][middle]
            if (sum >= wanted) high = middle else low = middle + 1
        }
        return values[low].toDouble()
    }
}

/** The histogram that [text] holds in HdrHistogram's compressed form, Base64. Throws on anything else. */
fun histogramOf(text: String): Histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0)
