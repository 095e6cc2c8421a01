package threadgauge.stats

import java.nio.ByteBuffer
import java.util.Base64
import kotlin.math.ln
import org.HdrHistogram.Histogram

/**
 * The latencies of several trials as one distribution. Its percentiles are those of the requests of all trials
 * together: histograms are added, and percentiles are never averaged. Each trial has the same weight, whatever its
 * number of requests.
 */
class Merged(trials: List<Histogram>) {
    private val size = trials.size

    /** All values that occur in any trial, ascending. */
    private val values: LongArray = trials.flatMap { trial -> trial.recordedValues().map { it.valueIteratedTo } }
        .distinct().sorted().toLongArray()

    /** For each trial the share of its requests up to each of [values]. */
    private val shares: List<DoubleArray> = trials.map { trial ->
        val shares = DoubleArray(values.size)
        var at = 0
        var sum = 0L
        for (recorded in trial.recordedValues()) {
            while (values[at] < recorded.valueIteratedTo) shares[at++] = sum.toDouble() / trial.totalCount
            sum += recorded.countAddedInThisIterationStep
        }
        while (at < values.size) shares[at++] = sum.toDouble() / trial.totalCount
        shares
    }

    init {
        require(trials.isNotEmpty() && trials.all { it.totalCount > 0 }) { "a trial without requests has no latencies" }
    }

    /** The quantile of all requests at [share]: 0.99 for p99. In the unit of the histograms. */
    fun percentile(share: Double): Double = percentile(share) { 1 }

    /**
     * The distribution of that percentile over resamples of the trials; null below [MIN_TRIALS] trials, and where it is
     * zero.
     */
    fun spread(share: Double): LogDistribution? {
        if (size < MIN_TRIALS || values.first() <= 0) return null
        return LogDistribution(ln(percentile(share)), size) { counts -> ln(percentile(share) { counts[it] }) }
    }

    private inline fun percentile(share: Double, weight: (Int) -> Int): Double {
        val wanted = share * size - 1e-9
        var low = 0
        var high = values.size - 1
        while (low < high) {
            val middle = (low + high) / 2
            var sum = 0.0
            for (trial in 0..<size) sum += weight(trial) * shares[trial][middle]
            if (sum >= wanted) high = middle else low = middle + 1
        }
        return values[low].toDouble()
    }
}

/** Decodes a histogram from [text], HdrHistogram's compressed form in Base64. Throws on anything else. */
fun histogramOf(text: String): Histogram =
    Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0)
