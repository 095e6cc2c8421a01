package threadgauge.load.agent

import java.nio.file.Path
import org.HdrHistogram.Histogram
import threadgauge.load.record.newHistogram
import threadgauge.load.record.writeHistogramLog
import threadgauge.model.Latency
import threadgauge.model.LoadSecond

/**
 * Combines the messages of agents about one load, second by second. Parts come from several event loops and agents, in
 * any order; adding them is exact. Not thread-safe.
 */
class LoadSeries {
    private class Part {
        var sent = 0L
        var answered = 0L
        var failed = 0L
        var active = 0
        val latency: Histogram = newHistogram()
    }

    private val parts = java.util.TreeMap<Int, Part>()

    /** Adds a [message]; those that are not about a second are ignored. */
    fun hear(message: AgentMessage) {
        when (message) {
            is AgentMessage.Second -> part(message.second).let {
                it.sent += message.sent
                it.answered += message.answered
                it.failed += message.failed
                it.latency.add(decode(message.latency))
            }
            is AgentMessage.Pulse -> part(message.second).active += message.active
            else -> Unit
        }
    }

    /** Adds [other], a later load whose second 0 is second [from] here. */
    fun add(other: LoadSeries, from: Int) = other.parts.forEach { (second, part) ->
        part(from + second).let {
            it.sent += part.sent
            it.answered += part.answered
            it.failed += part.failed
            it.active += part.active
            it.latency.add(part.latency)
        }
    }

    /** Latency over the whole load, in nanoseconds from the intended time. */
    fun latency(): Histogram = sum(histograms())

    /** One histogram per second, from second 0, empty ones included. */
    fun histograms(): List<Histogram> = (0..(parts.lastEntry()?.key ?: -1)).map { parts[it]?.latency ?: newHistogram() }

    /**
     * Writes [histograms] to [file] in HdrHistogram's log format. [startNanos] of CLOCK_MONOTONIC is the start of the
     * window.
     */
    fun writeLog(file: Path, startNanos: Long) = writeHistogramLog(file, histograms(), startNanos)

    /** Counts and percentiles of each second in which something happened, in order. */
    fun seconds(): List<LoadSecond> = parts.map { (second, part) ->
        val latency = part.latency.takeIf { it.totalCount > 0 }
        fun micros(percentile: Double) = latency?.getValueAtPercentile(percentile)?.div(1e3)
        LoadSecond(
            second = second,
            sent = part.sent,
            answered = part.answered,
            failed = part.failed,
            active = part.active,
            p50Micros = micros(50.0),
            p90Micros = micros(90.0),
            p99Micros = micros(99.0),
            maxMicros = latency?.maxValue?.div(1e3),
        )
    }

    private fun part(second: Int) = parts.getOrPut(second) { Part() }
}

/** Mean and percentiles of [histogram], which is in nanoseconds; all 0 if it is empty. */
fun summary(histogram: Histogram): Latency {
    if (histogram.totalCount == 0L) return Latency(0, 0.0, 0.0, 0.0, 0.0, 0.0, null, 0.0, 0.0)
    fun micros(percentile: Double) = histogram.getValueAtPercentile(percentile) / 1e3
    return Latency(
        count = histogram.totalCount,
        meanMicros = histogram.mean / 1e3,
        minMicros = histogram.minValue / 1e3,
        p50Micros = micros(50.0),
        p90Micros = micros(90.0),
        p99Micros = micros(99.0),
        p999Micros = if (histogram.totalCount >= FEWEST_FOR_P999) micros(99.9) else null,
        maxMicros = histogram.maxValue / 1e3,
        p95Micros = micros(95.0),
    )
}

/** With fewer values, p99.9 would rest on fewer than ten of them. */
private const val FEWEST_FOR_P999 = 10_000
