package threadgauge.knee

import threadgauge.model.Environment
import threadgauge.model.Latency
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Load
import threadgauge.model.Slo
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.ProbeNote
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.ProbeReason
import threadgauge.model.judgement.ProbeThresholds
import threadgauge.model.judgement.SOUND_SHARE_OF_CEILING
import threadgauge.model.of
import threadgauge.model.plan.Probe
import threadgauge.stats.sureGrowth

/**
 * Did [probe] meet [slo]? It did if every goal is met, the requests were sent, and no queue grows. If it did not, and
 * the load agent was too busy or too late, the probe says nothing about the target.
 */
fun judgeProbe(slo: Slo, trial: Int, probe: Probe, environment: Environment): JudgedProbe {
    val sample = probe.sample
    val isOpen = probe.load is Load.Open
    val broken = if (isOpen) broken(slo, probe) else emptyList()
    val full = if (broken.isEmpty()) null else agentWasFull(probe, environment)
    val late = if (broken.isEmpty() || full != null) null else agentWasLate(slo, probe)
    return JudgedProbe(
        trial = trial,
        name = sample.situation,
        load = probe.load,
        offeredPerSecond = (if (isOpen) sample.counts.scheduled else sample.counts.sent) / (sample.windowMillis / 1e3),
        answeredPerSecond = sample.perSecond,
        latency = sample.latency,
        errorShare = probe.errorShare,
        outcome = when {
            !isOpen -> null
            broken.isEmpty() -> ProbeOutcome.KEPT
            full != null -> ProbeOutcome.AGENT
            late != null -> ProbeOutcome.LATE
            else -> ProbeOutcome.BROKEN
        },
        reasons = listOfNotNull(full, late) + broken,
        notes = notes(slo, probe, environment),
        hlog = sample.hlog,
    )
}

private fun broken(slo: Slo, probe: Probe): List<ProbeReason> {
    val latency = probe.sample.latency
    val times = slo.latencies.mapNotNull { goal ->
        val micros = goal.valueIn(latency)
        ProbeReason.GoalBroken(goal.measure, micros, goal.maxMicros).takeIf { micros > goal.maxMicros }
    }
    val errors = slo.maxErrors?.let { max ->
        ProbeReason.TooManyErrors(probe.errorShare, max).takeIf { it.share > max }
    }
    return times + listOfNotNull(errors, notSent(probe), growing(slo, probe))
}

/** With too few answers for p99.9, the maximum is used, which is never smaller. */
private fun LatencyGoal.valueIn(latency: Latency) = measure.of(latency) ?: latency.maxMicros

/** A request that was due and never sent is not an error: [notSent] covers it, and the latency includes its age. */
private val Probe.errorShare get() = sample.counts.let { (it.failed - it.unsent).toDouble() / maxOf(1, it.scheduled) }

/** A probe that did not reach its rate cannot have met the goals. */
private fun notSent(probe: Probe): ProbeReason? {
    val share = sentInWindow(probe).toDouble() / maxOf(1, probe.sample.counts.scheduled)
    return ProbeReason.NotSent(share).takeIf { share < it.min }
}

private fun sentInWindow(probe: Probe) =
    probe.sample.seconds.filter { it.second < probe.sample.windowMillis / 1e3 }.sumOf { it.sent }

/**
 * A growing queue will exceed a limit: a rate 1 % above the capacity makes each second 10 ms slower than the one
 * before, and a short probe ends before the limit is reached. So the medians of whole seconds are tested: if they grow
 * significantly, and would exceed a limit within [ProbeThresholds.HORIZON_SECONDS], the probe counts as broken.
 */
private fun growing(slo: Slo, probe: Probe): ProbeReason? {
    val limit = slo.latencies.minOfOrNull { it.maxMicros } ?: return null
    val whole = (probe.sample.windowMillis / 1e3).toInt()
    val medians = probe.sample.seconds.filter { it.second < whole }.mapNotNull { it.p50Micros }
    val growth = sureGrowth(medians) ?: return null
    if (growth <= 0 || medians.last() + growth * ProbeThresholds.HORIZON_SECONDS <= limit) return null
    return ProbeReason.GrowingQueue(medians.first(), medians.last(), growth, limit)
}

/** Why the load agent is the limit; null where it is not. */
private fun agentWasFull(probe: Probe, environment: Environment): ProbeReason? {
    val sample = probe.sample
    val busy = sample.agent.cpuMillis / (sample.windowMillis * maxOf(1, sample.agent.eventLoops))
    val share = environment.agentCeiling?.let { sample.perSecond / it.requestsPerSecond } ?: 0.0
    return when {
        share > MAX_SHARE_OF_CEILING -> ProbeReason.AgentFull(share)
        busy > ProbeThresholds.MAX_AGENT_BUSY -> ProbeReason.AgentBusy(busy)
        else -> null
    }
}

/**
 * Counted from sending, the goals are met, and requests did not wait for connections: the load agent sent them late.
 */
private fun agentWasLate(slo: Slo, probe: Probe): ProbeReason? {
    val sample = probe.sample
    val connectionsToSpare = sample.counts.connectionsOpened < probe.connections.maxUnderWay
    val late = slo.latencies.any { it.valueIn(sample.latency) > it.maxMicros } &&
        slo.latencies.all { it.valueIn(sample.serviceTime) <= it.maxMicros }
    if (!late || !connectionsToSpare) return null
    return ProbeReason.AgentLate(sample.sendDelay.maxMicros, sample.agent.loopLagMicrosMax)
}

private fun notes(slo: Slo, probe: Probe, environment: Environment): List<ProbeNote> {
    val sample = probe.sample
    val ceiling = environment.agentCeiling?.requestsPerSecond
    val isNear = ceiling != null && sample.perSecond > ceiling * SOUND_SHARE_OF_CEILING
    val steal = sample.cost.steal ?: 0.0
    return listOfNotNull(
        if (probe.load is Load.Open) fewAnswers(slo, sample.latency) else null,
        if (isNear) ProbeNote.AgentNearLimit(sample.perSecond / ceiling) else null,
        ProbeNote.StolenTime(steal).takeIf { steal > it.max },
        ProbeNote.NotRecovered.takeIf { probe.recoveryMillis == null },
    )
}

/** For the measure that needs most answers. */
private fun fewAnswers(slo: Slo, latency: Latency): ProbeNote? =
    slo.latencies.map { it.measure }.filter { latency.count < it.enough }.maxByOrNull { it.enough }?.let { measure ->
        ProbeNote.FewAnswers(measure, latency.count, measure.enough, longestTaken = measure == LatencyMeasure.P999)
    }
