package threadgauge.judge.goal

import threadgauge.judge.claim.Measured
import threadgauge.judge.claim.measured
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.model.LatencyMeasure
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.SloGoal
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.judgement.Figure
import threadgauge.model.of
import threadgauge.stats.Merged
import threadgauge.stats.histogramOf
import threadgauge.stats.median
import threadgauge.stats.spreadOf

/** All measurements of a stack in a situation, for the figures that goals are about. */
internal class GoalSamples private constructor(
    private val record: Record,
    private val cell: ClaimCell,
    /** By trial. */
    private val samples: List<Sample>,
) {
    val isEmpty: Boolean get() = samples.isEmpty()

    /** Values in the latency that [goal] is about, of all trials. */
    fun answers(goal: SloGoal): Long =
        if (goal is SloGoal.OfStep) StepSamples(samples, goal).values else samples.sumOf { it.latency.count }

    /** The figure of [goal] in the unit of its limit; null where it was not measured. */
    fun figure(goal: SloGoal): Figure? = when (goal) {
        is SloGoal.Latency -> latency(goal.measure)
        is SloGoal.Errors -> measured(record, ClaimMeasure.ERRORS, cell)?.figure(CONFIDENCE)
        is SloGoal.Throughput -> measured(record, ClaimMeasure.THROUGHPUT, cell)?.figure(CONFIDENCE)
        is SloGoal.OfStep -> StepSamples(samples, goal).figure()
    }

    private fun latency(measure: LatencyMeasure): Figure? {
        val answered = samples.filter { it.latency.count > 0 }
        return when (measure) {
            LatencyMeasure.P50 -> percentile(answered, measure, 0.50)
            LatencyMeasure.P90 -> percentile(answered, measure, 0.90)
            LatencyMeasure.P95 -> percentile(answered, measure, 0.95)
            LatencyMeasure.P99 -> percentile(answered, measure, 0.99)
            LatencyMeasure.P999 -> percentile(answered, measure, 0.999)
            LatencyMeasure.MEAN -> typical(answered.map { it.latency.meanMicros })
            LatencyMeasure.MAX -> longest(answered.map { it.latency.maxMicros })
        }
    }

    /** Over the requests of all trials, as in the tables; in older records without histograms the typical trial's. */
    private fun percentile(answered: List<Sample>, measure: LatencyMeasure, share: Double): Figure? {
        if (answered.isEmpty() || answered.any { it.distribution == null }) {
            return typical(answered.mapNotNull { measure.of(it.latency) })
        }
        val histograms = answered.map { histogramOf(it.distribution!!) }
        val values = answered.zip(histograms) { sample, histogram ->
            measure.of(sample.latency) ?: (Merged(listOf(histogram)).percentile(share) / NANOS_PER_MICRO)
        }
        val merged = Merged(histograms)
        return Measured(
            merged.percentile(share) / NANOS_PER_MICRO, values, emptyList(), merged.spread(share), NANOS_PER_MICRO,
        ).figure(CONFIDENCE)
    }

    private fun typical(values: List<Double>): Figure? {
        if (values.isEmpty()) return null
        return Measured(median(values), values, emptyList(), spreadOf(values)).figure(CONFIDENCE)
    }

    /** The longest answer of each trial is a fact and no estimate, so its interval is the range over the trials. */
    private fun longest(values: List<Double>): Figure? {
        if (values.isEmpty()) return null
        return Measured(values.max(), values, emptyList(), null, isCounted = true).figure(CONFIDENCE)
    }

    companion object {
        fun of(record: Record, stack: String, situation: String): GoalSamples {
            val trials = record.trials.filter { it.stack == stack }.sortedBy { it.number }
            val samples = trials.flatMap { trial -> trial.samples.filter { it.situation == situation } }
            return GoalSamples(record, ClaimCell(stack, situation), samples)
        }

        private const val NANOS_PER_MICRO = 1e3
    }
}
