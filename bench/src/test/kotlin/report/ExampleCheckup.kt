package threadgauge.report

import threadgauge.model.AgentRound
import threadgauge.model.Checkup
import threadgauge.model.Latency
import threadgauge.model.MachineFacts
import threadgauge.model.SendLag
import threadgauge.model.judgement.AwakeEffect
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.LatencyReach
import threadgauge.model.judgement.Precision
import threadgauge.model.judgement.PredictedPrecision
import threadgauge.model.judgement.RatioWithInterval
import threadgauge.model.judgement.Reach
import threadgauge.model.judgement.RoundNoise
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
    precision = examplePrecision(),
)

/** Invented, too. */
internal fun examplePrecision() = Precision(
    asleep = RoundNoise(0.131, rounds = 10),
    awake = RoundNoise(0.0552, rounds = 10),
    effect = AwakeEffect(RatioWithInterval(0.421, 0.21, 0.843), RatioWithInterval(1.124, 1.082, 1.168)),
    assumedBetweenBlocks = 0.02,
    runs = listOf(
        PredictedPrecision(stacks = 2, minutes = 2, blocks = 2, rounds = 20, halfWidth = null),
        PredictedPrecision(stacks = 2, minutes = 5, blocks = 4, rounds = 60, halfWidth = 0.0362),
        PredictedPrecision(stacks = 2, minutes = 30, blocks = 20, rounds = 300, halfWidth = 0.0104),
        PredictedPrecision(stacks = 4, minutes = 2, blocks = 1, rounds = 7, halfWidth = null),
        PredictedPrecision(stacks = 4, minutes = 5, blocks = 3, rounds = 30, halfWidth = 0.218),
        PredictedPrecision(stacks = 4, minutes = 30, blocks = 9, rounds = 200, halfWidth = 0.0304),
    ),
)

private fun exampleLag(rate: Double, p50: Double, p99: Double) = SendLag(
    ratePerSecond = rate,
    sendDelay = Latency((rate * 3).toLong(), p50, 1.0, p50, p50 * 2, p99, null, p99 * 3),
    loopLagMicrosMax = p99 * 1.4,
    quantumMicros = 0.0,
    failed = 0,
)
