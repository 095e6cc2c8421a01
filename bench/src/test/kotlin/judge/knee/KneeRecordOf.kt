package threadgauge.judge.knee

import threadgauge.judge.claim.recordOf
import threadgauge.judge.recordOf
import threadgauge.judge.sampleOf
import threadgauge.model.AgentCeiling
import threadgauge.model.Counts
import threadgauge.model.Latency
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Load
import threadgauge.model.LoadSecond
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Slo
import threadgauge.model.Trial
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.Probe
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpEnd
import threadgauge.stats.ScalabilityLaw

internal val kneeQuestion = KneeQuestion(Slo(listOf(LatencyGoal(LatencyMeasure.P99, 100_000.0)), 0.001))

/**
 * A record of a search in which each process made probes at these rates, the ones above its capacity with a p99 of 400
 * ms.
 */
internal fun kneeRecordOf(
    capacities: List<Double>,
    rates: List<Double>,
    question: KneeQuestion = kneeQuestion,
    ceiling: Double = 50_000.0,
    closed: List<Probe> = closedProbes(),
): Record {
    val base = recordOf(mapOf("a" to capacities.map { 1_000.0 }))
    return base.copy(
        plan = base.plan.copy(knee = question),
        environment = base.environment.copy(agentCeiling = AgentCeiling(ceiling, 20.0)),
        trials = base.trials.mapIndexed { index, trial -> withProbes(trial, closed, rates, capacities[index]) },
    )
}

/**
 * A record of a search in several targets side by side: for each its capacities, one for a process, and its probes are
 * at [shape] × the capacity of its first process.
 */
internal fun kneesRecordOf(
    capacities: Map<String, List<Double>>,
    shape: List<Double>,
    question: KneeQuestion = kneeQuestion,
): Record {
    val base = recordOf(capacities)
    return base.copy(
        plan = base.plan.copy(knee = question),
        environment = base.environment.copy(agentCeiling = AgentCeiling(50_000.0, 20.0)),
        trials = base.trials.map { trial ->
            val own = capacities.getValue(trial.stack)
            withProbes(trial, closedProbes(), shape.map { it * own.first() }, own[trial.number - 1])
        },
    )
}

private fun withProbes(trial: Trial, closed: List<Probe>, rates: List<Double>, capacity: Double): Trial {
    val open = rates.mapIndexed { index, rate ->
        openProbe("probe-%02d".format(closed.size + index + 1), rate, if (rate <= capacity) 20_000.0 else 400_000.0)
    }
    return trial.copy(
        samples = emptyList(), probes = closed + open, warmUp = WarmUp(emptyList(), true, 3_000.0, WarmUpEnd.STEADY),
    )
}

/** On the curve of a law that peaks at 21 at a time. */
internal fun closedProbes(): List<Probe> = (0..7).map { 1 shl it }.mapIndexed { index, users ->
    val perSecond = ScalabilityLaw(200.0, 0.1, 0.002).at(users.toDouble())
    val sample = probeSample("probe-%02d".format(index + 1), perSecond, users / perSecond * 1e6)
    Probe(Load.Users(users, 1_500_000_000), sample, recoveryMillis = 20.0)
}

internal fun openProbe(name: String, perSecond: Double, p99Micros: Double): Probe =
    Probe(Load.Poisson(perSecond, 5_000_000_000), probeSample(name, perSecond, p99Micros), recoveryMillis = 30.0)

private fun probeSample(name: String, perSecond: Double, p99: Double): Sample {
    val count = (perSecond * 5).toLong()
    val latency = Latency(count, p99 / 4, p99 / 8, p99 / 4, p99 / 2, p99, p99.takeIf { count >= 10_000 }, p99 * 1.5)
    val seconds = (0..4).map { LoadSecond(it, count / 5 + 1, count / 5, 0, 5, p50Micros = p99 / 4) }
    return sampleOf(perSecond, 5, 50.0).copy(
        situation = name, windowMillis = 5_000.0, counts = Counts(count, count, count, 0, 0), answeredInWindow = count,
        latency = latency, serviceTime = latency, hlog = "latency/a-1-$name.hlog", seconds = seconds,
    )
}
