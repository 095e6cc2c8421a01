package threadgauge.report

import threadgauge.model.AgentRound
import threadgauge.model.Checkup
import threadgauge.model.Latency
import threadgauge.model.MachineFacts
import threadgauge.model.SendLag
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.LatencyReach
import threadgauge.model.judgement.Reach
import threadgauge.model.judgement.Severity

internal fun exampleCheckup() = Checkup(
    threadgauge = "0.1.0",
    machine = MachineFacts(
        "Example CPU", "Example Linux", "Linux 6.12", "OpenJDK 25", cores = 2, memoryBytes = 8_000_000_000,
    ),
    rounds = listOf(118_400.0, 121_300.0, 119_900.0, 97_210.0, 122_000.0)
        .map { AgentRound(it, 8e5 / it * 1.2, failed = 0) },
    lags = listOf(exampleLag(1_000.0, 62.0, 410.0), exampleLag(5_000.0, 101.0, 2_310.0)),
    steal = 0.0,
)

/** Invented: the real one is made by `judge`. */
internal fun exampleDiagnosis() = Diagnosis(
    fit = false,
    reach = Reach(
        agentPerSecond = 119_900.0,
        agentCpuMicrosPerRequest = 8.01,
        soundPerSecond = 59_950.0,
        maxPerSecond = 83_930.0,
        latencies = listOf(LatencyReach(1_000.0, 4_100.0), LatencyReach(5_000.0, 23_100.0)),
        connectionsOfAgent = 824,
        connectionsOfTarget = 19_844,
        smallestDifference = 0.146,
        rounds = 5,
    ),
    findings = listOf(
        Finding(FindingId.OPEN_FILES, Severity.PROBLEM, FindingFact.OpenFiles(1_024, hard = 1_024, limit = 1_200)),
        Finding(FindingId.CLOCK, Severity.NOTE, FindingFact.Clock("hpet", readNanos = 910.0, limitNanos = 200.0)),
        Finding(FindingId.CORES, Severity.FINE, FindingFact.Pinned(2, target = listOf(0), agent = listOf(1))),
        Finding(FindingId.CORE_SPEED, Severity.FINE, FindingFact.Unknown),
    ),
)

private fun exampleLag(rate: Double, p50: Double, p99: Double) = SendLag(
    ratePerSecond = rate,
    sendDelay = Latency((rate * 3).toLong(), p50, 1.0, p50, p50 * 2, p99, null, p99 * 3),
    loopLagMicrosMax = p99 * 1.4,
    quantumMicros = 0.0,
    failed = 0,
)
