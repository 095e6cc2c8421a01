package threadgauge.judge.machine

import kotlin.math.exp
import threadgauge.model.AgentRound
import threadgauge.model.Checkup
import threadgauge.model.CpuFrequency
import threadgauge.model.EqualRound
import threadgauge.model.FileLimits
import threadgauge.model.Latency
import threadgauge.model.MachineFacts
import threadgauge.model.NetworkSettings
import threadgauge.model.PortRange
import threadgauge.model.SendLag

/** A check-up of a sound machine: no rule has anything to say against it. */
internal fun soundCheckup() = Checkup(
    threadgauge = "0.1.0",
    machine = MachineFacts(
        cpu = "Example CPU",
        operatingSystem = "Example Linux",
        kernel = "Linux 6.12",
        java = "OpenJDK 25",
        cores = 4,
        targetCores = listOf(0, 1, 2),
        agentCores = listOf(3),
        frequency = CpuFrequency("performance", 3_400.0, 3_600.0),
        clockSource = "tsc",
        clockReadNanos = 25.0,
        memoryBytes = 16_000_000_000,
        memoryAvailableBytes = 12_000_000_000,
        swapUsedBytes = 0,
        busyBefore = 0.02,
        files = FileLimits(soft = 65_536, hard = 65_536),
        network = NetworkSettings(
            PortRange(32_768, 60_999), maxAcceptQueue = 4_096, maxHalfOpen = 2_048, reuseWaiting = 2,
        ),
    ),
    rounds = rounds(100_000.0, 101_000.0, 99_000.0, 100_500.0, 99_500.0),
    lags = listOf(lag(1_000.0, p99Micros = 100.0), lag(5_000.0, p99Micros = 250.0)),
    steal = 0.0,
    equalServers = equalRounds(awake = SMALL_NOISE, asleep = SMALL_NOISE),
)

/** Rounds in which the first server had so many times the rate of the second, as logarithms: one of each in turn. */
internal fun equalRounds(awake: List<Double>, asleep: List<Double>, gain: Double = 1.0): List<EqualRound> {
    val waking = awake.map { equalRound(true, it, gain) }
    val sleeping = asleep.map { equalRound(false, it) }
    if (waking.isEmpty() || sleeping.isEmpty()) return waking + sleeping
    return waking.zip(sleeping).flatMap { (one, other) -> listOf(other, one) }
}

internal fun equalRound(awake: Boolean, logRatio: Double, gain: Double = 1.0) = EqualRound(
    awake,
    AgentRound(gain * 50_000 * exp(logRatio / 2), cpuMicrosPerRequest = 8.0, failed = 0),
    AgentRound(gain * 50_000 * exp(-logRatio / 2), cpuMicrosPerRequest = 8.0, failed = 0),
)

/** Of standard deviation 0.04. */
internal val SMALL_NOISE = listOf(0.04, -0.04, 0.04, -0.04, 0.0)

/** All that a Mac tells: it has no `/proc`, and nothing can be pinned. */
internal fun checkupOfAMac() = soundCheckup().let {
    val machine = MachineFacts(
        cpu = "Example CPU", operatingSystem = "Mac OS X", kernel = "Mac OS X 26.0", java = "OpenJDK 25", cores = 8,
        memoryBytes = 16_000_000_000,
    )
    it.copy(machine = machine, steal = null)
}

internal fun Checkup.machine(edit: MachineFacts.() -> MachineFacts) = copy(machine = machine.edit())

internal fun Checkup.network(edit: NetworkSettings.() -> NetworkSettings) = machine { copy(network = network.edit()) }

internal fun rounds(vararg perSecond: Double) = perSecond.map { AgentRound(it, cpuMicrosPerRequest = 8.0, failed = 0) }

internal fun lag(rate: Double, p99Micros: Double, stallMicros: Double = 900.0, failed: Long = 0) = SendLag(
    ratePerSecond = rate,
    sendDelay = Latency(
        count = (rate * 3)
            .toLong(), meanMicros = 60.0, minMicros = 1.0, p50Micros = 50.0, p90Micros = 80.0, p99Micros = p99Micros,
        p999Micros = null, maxMicros = p99Micros * 3,
    ),
    loopLagMicrosMax = stallMicros,
    quantumMicros = if (rate > 1_000) 200.0 else 0.0,
    failed = failed,
)
