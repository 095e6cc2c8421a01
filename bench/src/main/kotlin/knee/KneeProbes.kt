package threadgauge.knee

import java.util.Locale
import threadgauge.model.Environment
import threadgauge.model.Latency
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Load
import threadgauge.model.Probe
import threadgauge.model.Slo
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.SOUND_SHARE_OF_CEILING
import threadgauge.model.of
import threadgauge.stats.sureGrowth
import threadgauge.wording.percent

/**
 * Did [probe] keep [slo]? It did when every goal holds, the requests really left, and no queue grows. Where it did not, and the
 * load agent was too busy or too late to blame the target, nobody knows.
 */
fun judgeProbe(slo: Slo, trial: Int, probe: Probe, environment: Environment): JudgedProbe {
    val sample = probe.sample
    val isOpen = probe.load is Load.Open
    val why = if (isOpen) broken(slo, probe) else emptyList()
    val full = if (why.isEmpty()) null else agentWasFull(probe, environment)
    val late = if (why.isEmpty() || full != null) null else agentWasLate(slo, probe)
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
            why.isEmpty() -> ProbeOutcome.KEPT
            full != null -> ProbeOutcome.AGENT
            late != null -> ProbeOutcome.LATE
            else -> ProbeOutcome.BROKEN
        },
        why = listOfNotNull(full, late) + why,
        notes = notes(slo, probe, environment),
        hlog = sample.hlog,
    )
}

private fun broken(slo: Slo, probe: Probe): List<String> {
    val latency = probe.sample.latency
    val times = slo.latencies.mapNotNull { goal ->
        val value = goal.valueIn(latency)
        "${goal.measure.words} ${shortTime(value)} (limit ${shortTime(goal.maxMicros)})".takeIf { value > goal.maxMicros }
    }
    val errors = slo.maxErrors?.let { "${percent(probe.errorShare)} failed (limit ${percent(it)})".takeIf { _ -> probe.errorShare > it } }
    return times + listOfNotNull(errors, notSent(probe), growing(slo, probe))
}

/** A goal about p99.9 cannot be looked at with few answers; the longest of them is no shorter. */
private fun LatencyGoal.valueIn(latency: Latency) = measure.of(latency) ?: latency.maxMicros

/** What was due and never left is no error: [notSent] looks at it, and it stands in the latency with its age. */
private val Probe.errorShare get() = sample.counts.let { (it.failed - it.unsent).toDouble() / maxOf(1, it.scheduled) }

/** A rate that was not reached cannot have been kept. */
private fun notSent(probe: Probe): String? {
    val share = sentInWindow(probe).toDouble() / maxOf(1, probe.sample.counts.scheduled)
    return "only ${percent(share)} of the requests left in time (99 % needed)".takeIf { share < MIN_SENT_SHARE }
}

private fun sentInWindow(probe: Probe) = probe.sample.seconds.filter { it.second < probe.sample.windowMillis / 1e3 }.sumOf { it.sent }

/**
 * A queue that grows is a goal that will be broken: a rate 1 % above what a server can do makes each second 10 ms slower than
 * the one before, and a short probe ends before the limit is reached. So the median of each whole second is followed: where it
 * surely grows, and would pass a limit within [HORIZON_SECONDS], the probe is broken.
 */
private fun growing(slo: Slo, probe: Probe): String? {
    val limit = slo.latencies.minOfOrNull { it.maxMicros } ?: return null
    val whole = (probe.sample.windowMillis / 1e3).toInt()
    val medians = probe.sample.seconds.filter { it.second < whole }.mapNotNull { it.p50Micros }
    val growth = sureGrowth(medians) ?: return null
    if (growth <= 0 || medians.last() + growth * HORIZON_SECONDS <= limit) return null
    return "its queue grows: p50 rose from ${shortTime(medians.first())} to ${shortTime(medians.last())} while it lasted"
}

/** Why the agent can do no more; null where it can. */
private fun agentWasFull(probe: Probe, environment: Environment): String? {
    val sample = probe.sample
    val busy = sample.agent.cpuMillis / (sample.windowMillis * maxOf(1, sample.agent.eventLoops))
    val share = environment.agentCeiling?.let { sample.perSecond / it.requestsPerSecond } ?: 0.0
    return when {
        share > MAX_SHARE_OF_CEILING ->
            "the load agent worked at ${percent(share)} of what it can do (limit ${percent(MAX_SHARE_OF_CEILING)})"
        busy > MAX_BUSY_SHARE -> "the load agent was busy for ${percent(busy)} of the time (limit ${percent(MAX_BUSY_SHARE)})"
        else -> null
    }
}

/** From the moment of sending the goals hold, and requests did not wait for connections: it was the agent that made them late. */
private fun agentWasLate(slo: Slo, probe: Probe): String? {
    val sample = probe.sample
    val connectionsToSpare = sample.counts.connectionsOpened < probe.connections.maxUnderWay
    val late = slo.latencies.any { it.valueIn(sample.latency) > it.maxMicros } &&
        slo.latencies.all { it.valueIn(sample.serviceTime) <= it.maxMicros }
    if (!late || !connectionsToSpare) return null
    val lag = shortTime(sample.agent.loopLagMicrosMax)
    val most = shortTime(sample.sendDelay.maxMicros)
    return "the load agent sent late, up to $most (its event loop by $lag); from sending on the goals hold"
}

private fun notes(slo: Slo, probe: Probe, environment: Environment): List<String> {
    val sample = probe.sample
    val few = if (probe.load is Load.Open) slo.latencies.filter { sample.latency.count < it.measure.enough } else emptyList()
    val ceiling = environment.agentCeiling?.requestsPerSecond
    val steal = sample.cost.steal ?: 0.0
    return listOfNotNull(
        few.maxByOrNull { it.measure.enough }?.let { goal ->
            "${sample.latency.count} $FEW_FOR ${goal.measure.words} (${goal.measure.enough} needed)" +
                if (goal.measure == LatencyMeasure.P999) ", so the longest of them was taken" else ""
        },
        "the load agent worked at ${percent(sample.perSecond / (ceiling ?: 1.0))} of what it can do"
            .takeIf { ceiling != null && sample.perSecond > ceiling * SOUND_SHARE_OF_CEILING },
        "$HYPERVISOR_TOOK ${percent(steal)} of the machine's time".takeIf { steal > 0.02 },
        "the target was not as quick as before within the time to recover".takeIf { probe.recoveryMillis == null },
    )
}

internal fun shortTime(micros: Double): String = when {
    micros >= 1e6 -> "%.2f s".format(Locale.ROOT, micros / 1e6)
    micros >= 1e5 -> "%.0f ms".format(Locale.ROOT, micros / 1e3)
    micros >= 1e3 -> "%.1f ms".format(Locale.ROOT, micros / 1e3)
    else -> "%.0f µs".format(Locale.ROOT, micros)
}

/** Notes on probes that become doubts about a search, where many have them, are known by these words. */
internal const val FEW_FOR = "answers are few for"
internal const val HYPERVISOR_TOOK = "the hypervisor took"

private const val MIN_SENT_SHARE = 0.99

/** A minute at full load is what a service must at least bear. */
private const val HORIZON_SECONDS = 60

/** An event loop without a tenth of its time to spare queues for itself. */
private const val MAX_BUSY_SHARE = 0.90
