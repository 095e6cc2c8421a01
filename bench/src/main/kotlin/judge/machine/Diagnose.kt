package threadgauge.judge.machine

import threadgauge.model.Checkup
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.LATENCY_PER_LATENESS
import threadgauge.model.judgement.LatencyReach
import threadgauge.model.judgement.MAX_SHARE_OF_CEILING
import threadgauge.model.judgement.Reach
import threadgauge.model.judgement.SOUND_SHARE_OF_CEILING
import threadgauge.model.judgement.Severity
import threadgauge.stats.median
import threadgauge.stats.ratioInterval

/**
 * The diagnosis of [checkup]: findings, the range of sound measurements, and how precise ratios can be. A pure function
 * of the check-up.
 */
fun diagnose(checkup: Checkup): Diagnosis {
    val findings = (machineRules + agentRules + limitRules).map { it.examine(checkup) }
    return Diagnosis(
        fit = findings.none { it.severity == Severity.PROBLEM },
        reach = reachOf(checkup),
        findings = findings.sortedByDescending { it.severity },
        precision = precisionOf(checkup.equalServers),
    )
}

private fun reachOf(checkup: Checkup): Reach {
    val rates = checkup.rounds.map { it.requestsPerSecond }
    val middle = if (rates.isEmpty()) null else median(rates)
    val files = connectionsWithin(checkup.machine.files)
    return Reach(
        agentPerSecond = middle,
        agentCpuMicrosPerRequest = if (rates.isEmpty()) null else median(checkup.rounds.map { it.cpuMicrosPerRequest }),
        soundPerSecond = middle?.times(SOUND_SHARE_OF_CEILING),
        maxPerSecond = middle?.times(MAX_SHARE_OF_CEILING),
        latencies = checkup.lags.filter { it.sendDelay.count > 0 }
            .map { LatencyReach(it.ratePerSecond, it.sendDelay.p99Micros * LATENCY_PER_LATENESS) },
        connectionsOfAgent = listOfNotNull(files, checkup.machine.network.ports?.count?.toLong()).minOrNull(),
        connectionsOfTarget = files,
        // The rounds stand in for trials of two equal stacks: differences within their interval cannot be measured.
        // Fresh processes vary more than rounds of one process, so this is the best case.
        smallestDifference = ratioInterval(rates, rates)?.let { it.high - 1 },
        rounds = rates.size,
    )
}
