package threadgauge.judge.scenario

import org.HdrHistogram.Histogram
import threadgauge.judge.compare.CONFIDENCE
import threadgauge.model.Sample
import threadgauge.model.ScenarioSample
import threadgauge.model.StepSample
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.ScenarioJudgement
import threadgauge.model.judgement.StepJudgement
import threadgauge.model.request.StepName
import threadgauge.stats.LogDistribution
import threadgauge.stats.Merged
import threadgauge.stats.histogramOf
import threadgauge.stats.intervalOf

/** The scenarios of a cell over its [samples], one of each trial; empty without scenarios. */
internal fun scenariosOf(samples: List<Sample>): List<ScenarioJudgement> {
    val names = samples.firstOrNull()?.scenarios.orEmpty().map { it.name }
    return names.map { name ->
        judged(name, samples.mapNotNull { sample -> sample.scenarios.find { it.name == name } })
    }
}

private fun judged(name: String, trials: List<ScenarioSample>): ScenarioJudgement {
    val durations = Percentiles.of(trials.map { it.durations })
    return ScenarioJudgement(
        name = name,
        begun = trials.sumOf { it.begun },
        completed = trials.sumOf { it.completed },
        failed = trials.sumOf { it.failed },
        cut = trials.sumOf { it.cut },
        durationP50Millis = durations?.millis(0.50),
        durationP95Millis = durations?.millis(0.95),
        steps = trials.first().steps.map { step ->
            judgedStep(step.name, trials.mapNotNull { trial -> trial.steps.find { it.name == step.name } })
        },
    )
}

private fun judgedStep(name: String, trials: List<StepSample>): StepJudgement {
    val latencies = Percentiles.of(trials.map { it.distribution })
    return StepJudgement(
        name = name,
        answered = trials.sumOf { it.answered },
        failed = trials.sumOf { it.failed },
        p50Millis = latencies?.millis(0.50),
        p95Millis = latencies?.millis(0.95),
        p99Millis = latencies?.millis(0.99),
    )
}

/** The figure of a step by which it is compared; null where nothing was answered, and for what steps do not have. */
internal fun List<ScenarioJudgement>.figure(step: StepName, of: Compared): Figure? {
    val judged = find { it.name == step.scenario }?.steps?.find { it.name == step.step }
    return when (of) {
        Compared.P50 -> judged?.p50Millis
        Compared.P99 -> judged?.p99Millis
        else -> null
    }
}

internal val List<ScenarioJudgement>.stepNames: List<StepName>
    get() = flatMap { scenario -> scenario.steps.map { StepName(scenario.name, it.name) } }

/**
 * Distribution of a figure of a step over the trials of [samples], of its logarithm in nanoseconds; null for too few
 * trials with an answer.
 */
internal fun stepSpread(samples: List<Sample>, step: StepName, of: Compared): LogDistribution? {
    val share = when (of) {
        Compared.P50 -> 0.50
        Compared.P99 -> 0.99
        else -> return null
    }
    val steps = samples.mapNotNull { sample ->
        sample.scenarios.find { it.name == step.scenario }?.steps?.find { it.name == step.step }
    }
    return Percentiles.of(steps.map { it.distribution })?.spread(share)
}

/** Percentiles over the requests of several trials, with intervals over the trials. */
internal class Percentiles private constructor(private val trials: List<Histogram>) {
    private val merged = Merged(trials)

    /** Of the logarithm of the percentile in nanoseconds; null for too few trials. */
    fun spread(share: Double): LogDistribution? = merged.spread(share)

    fun millis(share: Double): Figure {
        val interval = spread(share)?.let { intervalOf(it, CONFIDENCE) }
        val values = trials.map { it.getValueAtPercentile(share * 100) / NANOS_PER_MILLI }
        return Figure(
            merged.percentile(share) / NANOS_PER_MILLI, interval?.low?.div(NANOS_PER_MILLI),
            interval?.high?.div(NANOS_PER_MILLI), values,
        )
    }

    companion object {
        private const val NANOS_PER_MILLI = 1e6

        /** Null where no trial has a value; trials without any are left out. */
        fun of(distributions: List<String>): Percentiles? {
            val histograms = distributions.map(::histogramOf).filter { it.totalCount > 0 }
            return if (histograms.isEmpty()) null else Percentiles(histograms)
        }
    }
}
