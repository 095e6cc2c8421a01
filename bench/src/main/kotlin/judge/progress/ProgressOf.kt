package threadgauge.judge.progress

import threadgauge.judge.cpuMicrosPerRequest
import threadgauge.judge.merged
import threadgauge.knee.judgeProbe
import threadgauge.model.Latency
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.judgement.CellProgress
import threadgauge.model.judgement.LoadPoint
import threadgauge.model.judgement.ProbeProgress
import threadgauge.model.judgement.RunProgress
import threadgauge.model.judgement.TrialProgress
import threadgauge.model.judgement.TrialStep
import threadgauge.stats.Merged
import threadgauge.stats.median

/**
 * How far the run of [record] has come. Its figures are those of the report of the same record, without what takes long
 * to compute, because this is asked for again and again while the machine measures. A pure function.
 */
fun progressOf(record: Record): RunProgress {
    val plan = record.plan
    val ended = record.trials.groupingBy { it.state }.eachCount()
    val cells = if (!plan.comparesSituations) emptyList() else
        plan.experiment.situations.flatMap { situation -> plan.stacks.map { cellOf(record, it, situation) } }
    return RunProgress(
        record = record.id,
        experiment = plan.experiment.name,
        question = plan.experiment.question,
        savedAs = plan.savedAs,
        state = record.state,
        startedAt = record.startedAt,
        endedAt = record.endedAt,
        planned = plan.trials.size,
        plansItself = plan.goal != null,
        measured = ended[TrialState.MEASURED] ?: 0,
        failed = (ended[TrialState.FAILED] ?: 0) + (ended[TrialState.INTERRUPTED] ?: 0),
        underWay = record.trials.filter { it.state == TrialState.RUNNING }
            .map { TrialProgress(it.stack, it.number, it.step) },
        cells = cells,
        probes = probesOf(record),
    )
}

private val Trial.step: TrialStep
    get() = when {
        warmUp != null || samples.isNotEmpty() || probes.isNotEmpty() -> TrialStep.MEASURING
        boot != null || idle != null -> TrialStep.WARMING_UP
        else -> TrialStep.STARTING
    }

private fun cellOf(record: Record, stack: Stack, situation: Situation): CellProgress {
    val trials = record.trials.filter { it.stack == stack.name }.sortedBy { it.number }
    val samples = trials.flatMap { trial -> trial.samples.filter { it.situation == situation.name } }
    val merged = merged(samples)
    return CellProgress(
        situation = situation.name,
        stack = stack.name,
        trials = samples.size,
        answered = samples.sumOf { it.counts.answered },
        failed = samples.sumOf { it.counts.failed },
        perSecond = typical(samples.map { it.perSecond }),
        p50Millis = percentile(merged, 0.50, samples) { it.p50Micros },
        p90Millis = percentile(merged, 0.90, samples) { it.p90Micros },
        p99Millis = percentile(merged, 0.99, samples) { it.p99Micros },
        cpuMicrosPerRequest = typical(samples.filter { it.answeredInWindow > 0 }.mapNotNull { it.cpuMicrosPerRequest }),
        latest = latest(trials, situation),
    )
}

private fun typical(values: List<Double>): Double? = if (values.isEmpty()) null else median(values)

private fun percentile(merged: Merged?, share: Double, samples: List<Sample>, micros: (Latency) -> Double): Double? =
    if (merged != null) merged.percentile(share) / 1e6 else
        typical(samples.filter { it.latency.count > 0 }.map { micros(it.latency) / 1e3 })

private fun latest(trials: List<Trial>, situation: Situation): List<LoadPoint> {
    val slices = trials.flatMap { trial ->
        trial.slices.filter { it.situation == situation.name }.map { slice ->
            val isAnswered = slice.answeredInWindow > 0
            LoadPoint(
                trial.number, slice.round, slice.perSecond,
                (slice.latency.p50Micros / 1e3).takeIf { isAnswered },
                (slice.latency.p99Micros / 1e3).takeIf { isAnswered },
            )
        }
    }
    return slices.takeLast(MAX_POINTS).ifEmpty { seconds(trials, situation) }
}

private fun seconds(trials: List<Trial>, situation: Situation): List<LoadPoint> {
    val (trial, sample) = trials.mapNotNull { trial ->
        trial.samples.find { it.situation == situation.name }?.let { trial to it }
    }.lastOrNull() ?: return emptyList()
    return sample.seconds.takeLast(MAX_POINTS).map {
        LoadPoint(
            trial.number, it.second, it.answered.toDouble(), it.p50Micros?.div(1e3), it.p99Micros?.div(1e3),
        )
    }
}

private fun probesOf(record: Record): List<ProbeProgress> {
    val question = record.plan.knee ?: return emptyList()
    return record.trials.flatMap { trial ->
        trial.probes.map { ProbeProgress(trial.stack, judgeProbe(question.slo, trial.number, it, record.environment)) }
    }
}

/** As many as can be told apart in a small drawing. */
private const val MAX_POINTS = 60
