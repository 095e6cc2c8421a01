package threadgauge.judge.goal

import threadgauge.judge.claim.Measured
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.judge.scenario.Percentiles
import threadgauge.model.Latency
import threadgauge.model.LatencyMeasure
import threadgauge.model.Sample
import threadgauge.model.SloGoal
import threadgauge.model.judgement.Figure
import threadgauge.stats.median
import threadgauge.stats.spreadOf

/** What a goal of a step, or of whole passes, is about: one value for each of [samples], which are those of trials. */
internal class StepSamples(samples: List<Sample>, private val goal: SloGoal.OfStep) {
    private class Part(val latency: Latency, val distribution: String, val failed: Long, val ended: Long)

    private val parts = samples.mapNotNull { sample ->
        val scenario = sample.scenarios.find { it.name == goal.scenario }
        val step = scenario?.steps?.find { it.name == goal.step }
        when {
            scenario == null -> null
            goal.step == null -> Part(
                scenario.duration, scenario.durations, scenario.failed, scenario.completed + scenario.failed,
            )
            else -> step?.let { Part(it.latency, it.distribution, it.failed, it.answered + it.failed) }
        }
    }

    /** In the latency. */
    val values: Long get() = parts.sumOf { it.latency.count }

    /** In the unit of the goal's limit; null where nothing was measured. */
    fun figure(): Figure? = when (val demand = goal.goal) {
        is SloGoal.Latency -> latency(demand.measure)
        is SloGoal.Errors -> errors()
        is SloGoal.Throughput, is SloGoal.OfStep -> null
    }

    private fun latency(measure: LatencyMeasure): Figure? {
        val answered = parts.filter { it.latency.count > 0 }
        return when (measure) {
            LatencyMeasure.P50 -> percentile(0.50)
            LatencyMeasure.P90 -> percentile(0.90)
            LatencyMeasure.P95 -> percentile(0.95)
            LatencyMeasure.P99 -> percentile(0.99)
            LatencyMeasure.P999 -> percentile(0.999)
            LatencyMeasure.MEAN -> {
                val means = answered.map { it.latency.meanMicros }
                if (means.isEmpty()) null
                else Measured(median(means), means, emptyList(), spreadOf(means)).figure(CONFIDENCE)
            }
            LatencyMeasure.MAX -> {
                val longest = answered.map { it.latency.maxMicros }
                if (longest.isEmpty()) null
                else Measured(longest.max(), longest, emptyList(), null, isCounted = true).figure(CONFIDENCE)
            }
        }
    }

    private fun percentile(share: Double): Figure? {
        val millis = Percentiles.of(parts.map { it.distribution })?.millis(share) ?: return null
        val values = millis.values.map { it * MICROS }
        return Figure(millis.value * MICROS, millis.low?.times(MICROS), millis.high?.times(MICROS), values)
    }

    private fun errors(): Figure? {
        val shares = parts.filter { it.ended > 0 }.map { it.failed.toDouble() / it.ended }
        if (shares.isEmpty()) return null
        val requests = parts.sumOf { it.ended }
        return Measured(median(shares), shares, emptyList(), spreadOf(shares), requests = requests).figure(CONFIDENCE)
    }

    private companion object {
        /** In a millisecond. */
        const val MICROS = 1e3
    }
}
