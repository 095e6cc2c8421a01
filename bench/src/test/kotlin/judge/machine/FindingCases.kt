package threadgauge.judge.machine

import threadgauge.model.AgentRound
import threadgauge.model.Checkup
import threadgauge.model.CpuFrequency
import threadgauge.model.FileLimits
import threadgauge.model.PortRange
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingFact.Cause
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity
import threadgauge.model.judgement.Severity.FINE
import threadgauge.model.judgement.Severity.NOTE
import threadgauge.model.judgement.Severity.PROBLEM

/** A sound check-up, changed so that the rule [id] is as severe as this and finds [fact]. */
internal class FindingCase(
    val id: FindingId,
    val severity: Severity,
    val fact: FindingFact,
    edit: Checkup.() -> Checkup,
) {
    val facts = soundCheckup().edit()
}

/** For each rule: facts on both sides of each threshold, and how bad they are. */
internal val findingCases: List<FindingCase> = coreCases() + timeCases() + memoryCases() + agentCases() + limitCases()

private fun coreCases() = listOf(
    FindingCase(FindingId.CORES, PROBLEM, FindingFact.NotPinned(1, Cause.TOO_FEW_CORES)) {
        machine { copy(cores = 1, targetCores = emptyList(), agentCores = emptyList()) }
    },
    FindingCase(FindingId.CORES, NOTE, FindingFact.NotPinned(4, Cause.NO_TASKSET)) {
        machine { copy(targetCores = emptyList(), agentCores = emptyList()) }
    },
    FindingCase(FindingId.CORES, FINE, FindingFact.Pinned(2, target = listOf(0), agent = listOf(1))) {
        machine { copy(cores = 2, targetCores = listOf(0), agentCores = listOf(1)) }
    },
    FindingCase(FindingId.CPU_QUOTA, PROBLEM, FindingFact.Quota(1.5, 4)) { machine { copy(quotaCores = 1.5) } },
    FindingCase(FindingId.CPU_QUOTA, FINE, FindingFact.Quota(4.0, 4)) { machine { copy(quotaCores = 4.0) } },
    FindingCase(FindingId.CLOCK, NOTE, FindingFact.Clock("hpet", 900.0, limitNanos = 200.0)) {
        machine { copy(clockSource = "hpet", clockReadNanos = 900.0) }
    },
    FindingCase(FindingId.CLOCK, FINE, FindingFact.Clock("kvm-clock", 40.0)) {
        machine { copy(clockSource = "kvm-clock", clockReadNanos = 40.0) }
    },
    FindingCase(FindingId.CORE_SPEED, NOTE, FindingFact.CoreSpeed("schedutil", 0.5, limit = 0.6)) {
        machine { copy(frequency = CpuFrequency("schedutil", 1_800.0, 3_600.0)) }
    },
    FindingCase(FindingId.CORE_SPEED, NOTE, FindingFact.CoreSpeed("powersave", null, savesPower = true)) {
        machine { copy(frequency = CpuFrequency("powersave", null, null)) }
    },
    FindingCase(FindingId.CORE_SPEED, FINE, FindingFact.CoreSpeed("powersave", 0.75)) {
        machine { copy(frequency = CpuFrequency("powersave", 2_700.0, 3_600.0)) }
    },
)

private fun timeCases() = listOf(
    FindingCase(FindingId.BUSY_MACHINE, PROBLEM, FindingFact.Busy(0.51, limit = 0.5)) {
        machine { copy(busyBefore = 0.51) }
    },
    FindingCase(FindingId.BUSY_MACHINE, NOTE, FindingFact.Busy(0.16, limit = 0.15)) {
        machine { copy(busyBefore = 0.16) }
    },
    FindingCase(FindingId.BUSY_MACHINE, FINE, FindingFact.Busy(0.15)) { machine { copy(busyBefore = 0.15) } },
    FindingCase(FindingId.STOLEN_TIME, PROBLEM, FindingFact.Stolen(0.11, limit = 0.1)) { copy(steal = 0.11) },
    FindingCase(FindingId.STOLEN_TIME, NOTE, FindingFact.Stolen(0.021, limit = 0.02)) { copy(steal = 0.021) },
    FindingCase(FindingId.STOLEN_TIME, FINE, FindingFact.Stolen(0.02)) { copy(steal = 0.02) },
)

private fun memoryCases() = listOf(
    FindingCase(FindingId.MEMORY, PROBLEM, FindingFact.Memory(900 * MEGABYTE, 16 * GIGABYTE, GIGABYTE)) {
        machine { copy(memoryAvailableBytes = 900 * MEGABYTE) }
    },
    FindingCase(FindingId.MEMORY, NOTE, FindingFact.Memory(1_900 * MEGABYTE, 16 * GIGABYTE, 2 * GIGABYTE)) {
        machine { copy(memoryAvailableBytes = 1_900 * MEGABYTE) }
    },
    FindingCase(FindingId.MEMORY, FINE, FindingFact.Memory(2 * GIGABYTE, 16 * GIGABYTE)) {
        machine { copy(memoryAvailableBytes = 2 * GIGABYTE) }
    },
    FindingCase(FindingId.SWAP, NOTE, FindingFact.Swap(200 * MEGABYTE, limitBytes = 100 * MEGABYTE)) {
        machine { copy(swapUsedBytes = 200 * MEGABYTE) }
    },
    FindingCase(FindingId.SWAP, FINE, FindingFact.Swap(100 * MEGABYTE)) {
        machine { copy(swapUsedBytes = 100 * MEGABYTE) }
    },
)

private fun agentCases() = listOf(
    FindingCase(FindingId.AGENT_ERRORS, PROBLEM, FindingFact.Failures(3, silentRounds = 0)) {
        copy(rounds = rounds.map { it.copy(failed = 1) }.take(3))
    },
    FindingCase(FindingId.AGENT_ERRORS, PROBLEM, FindingFact.Failures(1, silentRounds = 0)) {
        copy(lags = listOf(lag(1_000.0, 100.0, failed = 1)))
    },
    FindingCase(FindingId.AGENT_ERRORS, PROBLEM, FindingFact.Failures(0, silentRounds = 3)) {
        copy(rounds = rounds(0.0, 0.0, 0.0))
    },
    FindingCase(FindingId.SPREAD, PROBLEM, FindingFact.Spread(5, 0.6, shareWithoutFarthest = 0.5, limit = 0.4)) {
        copy(rounds = rounds(75.0, 125.0, 100.0, 100.0, 65.0))
    },
    FindingCase(FindingId.SPREAD, NOTE, FindingFact.Spread(5, 0.6, shareWithoutFarthest = 0.02, limit = 0.1)) {
        copy(rounds = rounds(40.0, 98.0, 100.0, 100.0, 100.0))
    },
    FindingCase(FindingId.SPREAD, NOTE, FindingFact.Spread(3, 0.12, shareWithoutFarthest = 6 / 97.0, limit = 0.1)) {
        copy(rounds = rounds(94.0, 106.0, 100.0))
    },
    FindingCase(FindingId.SPREAD, FINE, FindingFact.Spread(3, 0.09, shareWithoutFarthest = 4.5 / 97.75)) {
        copy(rounds = rounds(95.5, 104.5, 100.0))
    },
    FindingCase(FindingId.AGENT_ERRORS, PROBLEM, FindingFact.Failures(2, silentRounds = 0)) {
        copy(equalServers = equalServers.drop(2) + equalServers.take(2).map { it.copy(second = it.second.failing()) })
    },
    FindingCase(FindingId.ROUND_NOISE, NOTE, FindingFact.RoundNoise(noise(6), limit = 0.2)) {
        copy(equalServers = equalRounds(SMALL_NOISE.map { it * 6 }, SMALL_NOISE))
    },
    FindingCase(FindingId.ROUND_NOISE, FINE, FindingFact.RoundNoise(noise(4))) {
        copy(equalServers = equalRounds(SMALL_NOISE.map { it * 4 }, SMALL_NOISE.map { it * 6 }))
    },
    FindingCase(FindingId.ROUND_NOISE, FINE, FindingFact.Unknown) { copy(equalServers = emptyList()) },
    FindingCase(FindingId.SENT_LATE, PROBLEM, FindingFact.Lateness(10_100.0, 1_000.0, limitMicros = 10_000.0)) {
        copy(lags = listOf(lag(1_000.0, 10_100.0), lag(5_000.0, 500.0)))
    },
    FindingCase(FindingId.SENT_LATE, NOTE, FindingFact.Lateness(1_200.0, 5_000.0, limitMicros = 1_000.0)) {
        copy(lags = listOf(lag(1_000.0, 100.0), lag(5_000.0, 1_200.0)))
    },
    FindingCase(FindingId.SENT_LATE, FINE, FindingFact.Lateness(990.0, 1_000.0)) {
        copy(lags = listOf(lag(1_000.0, 990.0)))
    },
    FindingCase(FindingId.STALLS, NOTE, FindingFact.Stall(11_000.0, limitMicros = 10_000.0)) {
        copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 11_000.0)))
    },
    FindingCase(FindingId.STALLS, FINE, FindingFact.Stall(9_000.0)) {
        copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 9_000.0)))
    },
)

/** So many times 4 %, with the rounding of logarithms. */
private fun noise(times: Int) =
    checkNotNull(noiseOf(equalRounds(SMALL_NOISE.map { it * times }, emptyList()))).deviation

private fun AgentRound.failing() = copy(failed = 1)

private fun limitCases() = listOf(
    FindingCase(FindingId.OPEN_FILES, PROBLEM, FindingFact.OpenFiles(1_024, 524_288, limit = 1_200)) {
        machine { copy(files = FileLimits(1_024, 524_288)) }
    },
    FindingCase(FindingId.OPEN_FILES, NOTE, FindingFact.OpenFiles(4_096, 4_096, limit = 10_000)) {
        machine { copy(files = FileLimits(4_096, 4_096)) }
    },
    FindingCase(FindingId.OPEN_FILES, FINE, FindingFact.OpenFiles(10_000, null)) {
        machine { copy(files = FileLimits(10_000, null)) }
    },
    FindingCase(FindingId.OPEN_FILES, FINE, FindingFact.OpenFiles(null, null)) {
        machine { copy(files = FileLimits(null, null)) }
    },
    FindingCase(FindingId.LOCAL_PORTS, PROBLEM, FindingFact.Ports(60_000, 60_500, limit = 1_000)) {
        network { copy(ports = PortRange(60_000, 60_500)) }
    },
    FindingCase(FindingId.LOCAL_PORTS, NOTE, FindingFact.Ports(50_000, 55_000, limit = 10_000)) {
        network { copy(ports = PortRange(50_000, 55_000)) }
    },
    FindingCase(FindingId.ACCEPT_QUEUE, NOTE, FindingFact.Queue("net.core.somaxconn", 128, 1_000)) {
        network { copy(maxAcceptQueue = 128) }
    },
    FindingCase(FindingId.HALF_OPEN_QUEUE, NOTE, FindingFact.Queue("net.ipv4.tcp_max_syn_backlog", 256, 1_000)) {
        network { copy(maxHalfOpen = 256) }
    },
    FindingCase(FindingId.PORT_REUSE, NOTE, FindingFact.PortReuse(0)) { network { copy(reuseWaiting = 0) } },
    FindingCase(FindingId.PORT_REUSE, FINE, FindingFact.PortReuse(1)) { network { copy(reuseWaiting = 1) } },
)

private const val MEGABYTE = 1_000_000L
private const val GIGABYTE = 1_000_000_000L
