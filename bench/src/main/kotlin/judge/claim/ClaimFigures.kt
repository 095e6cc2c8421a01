package threadgauge.judge.claim

import threadgauge.judge.allocatedKilobytesPerRequest
import threadgauge.judge.cpuMicrosPerRequest
import threadgauge.judge.hasOneJvm
import threadgauge.judge.machine.spreadOf
import threadgauge.judge.merged
import threadgauge.judge.switchesPerRequest
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Trial
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.judgement.Figure
import threadgauge.model.memoryBytes
import threadgauge.model.threads
import threadgauge.stats.Interval
import threadgauge.stats.LogDistribution
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.intervalOf
import threadgauge.stats.largestUnseenShare
import threadgauge.stats.median
import threadgauge.stats.plainInterval
import threadgauge.stats.ratioIntervalInBlocks
import threadgauge.stats.ratioIntervalOf
import threadgauge.stats.spreadOf

/** One figure of a claim over its trials, with the data for intervals of any confidence. */
internal class Measured(
    val value: Double,
    val values: List<Double>,
    /** Numbers of the trials of [values]. */
    private val blocks: List<Int>,
    /** Null below three trials, and where a value is not positive. */
    private val spread: LogDistribution?,
    /**
     * Unit of the distribution in units of the value: a million where one is in nanoseconds and the other in
     * milliseconds.
     */
    private val unit: Double = 1.0,
    /** Total number of requests if [values] are shares of requests; otherwise 0. */
    private val requests: Long = 0,
    /** [values] are counts of events. Their range is exact, not estimated. */
    private val isCounted: Boolean = false,
) {
    /** Where a value is zero, so that no logarithm exists: Student's interval of the values themselves. */
    fun interval(confidence: Double): Interval? {
        if (values.size < MIN_TRIALS) return null
        if (isCounted) return Interval(values.min(), values.max())
        if (requests > 0 && values.all { it == 0.0 }) return Interval(0.0, largestUnseenShare(requests, confidence))
        val spread = spread ?: return plainInterval(values, confidence)
        return intervalOf(spread, confidence).let { Interval(it.low / unit, it.high / unit) }
    }

    fun figure(confidence: Double): Figure = interval(confidence).let { Figure(value, it?.low, it?.high, values) }

    /** This ÷ [other]; null where one of them may be zero, or has too few trials. */
    fun ratioTo(other: Measured, confidence: Double): Figure? {
        val (top, bottom) = (spread ?: return null) to (other.spread ?: return null)
        val isPaired = blocks == other.blocks && top.trials == blocks.size && bottom.trials == blocks.size
        val interval =
            if (isPaired) ratioIntervalInBlocks(top, bottom, confidence) else ratioIntervalOf(top, bottom, confidence)
        val units = other.unit / unit
        return Figure(value / other.value, interval.low * units, interval.high * units, emptyList())
    }
}

/** The values of [measure] in [cell] of [record]; null where there are none. */
internal fun measured(record: Record, measure: ClaimMeasure, cell: ClaimCell): Measured? {
    val trials = record.trials.filter { it.stack == cell.stack }.sortedBy { it.number }
    val hasOneJvm = record.plan.stacks.any { it.name == cell.stack && it.hasOneJvm }
    if (measure == ClaimMeasure.ALLOCATED && !hasOneJvm) return null
    if (!measure.isOfLoad) return typical(trials.mapNotNull { trial -> measure.of(trial)?.let { trial.number to it } })
    val samples = trials.flatMap { trial ->
        trial.samples.filter { it.situation == cell.situation }.map { trial to it }
    }
    val share = SHARES[measure]
    if (share == null) {
        val values = samples.mapNotNull { (trial, sample) -> measure.of(trial, sample)?.let { trial.number to it } }
        val requests = if (measure == ClaimMeasure.ERRORS) samples.sumOf { it.second.counts.scheduled } else 0
        return if (measure.isAudited) counted(values) else typical(values, requests)
    }
    val merged = merged(samples.map { it.second })
    val millis = samples.map { (trial, sample) -> trial.number to share.ofSample(sample) / 1e3 }
    if (merged == null) return typical(millis)
    return Measured(
        merged.percentile(share.share) / 1e6, millis.map { it.second }, millis.map { it.first },
        merged.spread(share.share), unit = 1e6,
    )
}

/** The maximum count of a trial, with minimum and maximum as its interval, because counts are not estimated. */
private fun counted(values: List<Pair<Int, Double>>): Measured? {
    if (values.isEmpty()) return null
    val plain = values.map { it.second }
    return Measured(plain.max(), plain, values.map { it.first }, null, isCounted = true)
}

private fun typical(values: List<Pair<Int, Double>>, requests: Long = 0): Measured? {
    if (values.isEmpty()) return null
    val plain = values.map { it.second }
    return Measured(median(plain), plain, values.map { it.first }, spreadOf(plain), requests = requests)
}

/** A percentile over all requests and of each sample, in microseconds. */
private class Share(val share: Double, val ofSample: (Sample) -> Double)

private val SHARES = mapOf(
    ClaimMeasure.P50 to Share(0.50) { it.latency.p50Micros },
    ClaimMeasure.P90 to Share(0.90) { it.latency.p90Micros },
    ClaimMeasure.P99 to Share(0.99) { it.latency.p99Micros },
)

private fun ClaimMeasure.of(trial: Trial, sample: Sample): Double? = when (this) {
    ClaimMeasure.THROUGHPUT -> sample.perSecond
    ClaimMeasure.SLOWEST -> if (sample.latency.count > 0) sample.latency.maxMicros / 1e3 else null
    ClaimMeasure.ERRORS -> sample.counts.failed.toDouble() / maxOf(1, sample.counts.scheduled)
    ClaimMeasure.CPU -> if (sample.answeredInWindow > 0) sample.cpuMicrosPerRequest else null
    ClaimMeasure.MEMORY -> trial.memoryBytes(sample)?.div(1e6)
    ClaimMeasure.ALLOCATED -> sample.allocatedKilobytesPerRequest
    ClaimMeasure.SWITCHES -> sample.cost.voluntarySwitches?.let { sample.switchesPerRequest }
    ClaimMeasure.THREADS -> trial.threads(sample)?.toDouble()
    ClaimMeasure.OVERSOLD -> sample.audit?.oversold?.toDouble()
    ClaimMeasure.LOST -> sample.audit?.lost?.toDouble()
    ClaimMeasure.DUPLICATED -> sample.audit?.duplicated?.toDouble()
    else -> null
}

private fun ClaimMeasure.of(trial: Trial): Double? = when (this) {
    ClaimMeasure.BOOT -> trial.boot?.firstAnswerMillis
    ClaimMeasure.LOGGED_BOOT -> trial.boot?.frameworkMillis
    ClaimMeasure.START_CPU -> trial.boot?.cpuPeakShare
    ClaimMeasure.BOOT_CPU -> trial.boot?.cpuMillis
    ClaimMeasure.IDLE_CPU -> trial.rest?.cpuShare
    ClaimMeasure.FIRST_COLLECTION -> trial.firstCollectionBytes?.div(1e6)
    ClaimMeasure.RSS -> trial.idle?.rssBytes?.div(1e6)
    ClaimMeasure.CLASSES -> trial.idle?.loadedClasses?.toDouble()
    else -> null
}
