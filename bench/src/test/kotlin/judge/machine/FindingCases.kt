package threadgauge.judge.machine

import threadgauge.model.Checkup
import threadgauge.model.CpuFrequency
import threadgauge.model.FileLimits
import threadgauge.model.PortRange
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity
import threadgauge.model.judgement.Severity.FINE
import threadgauge.model.judgement.Severity.NOTE
import threadgauge.model.judgement.Severity.PROBLEM

/** A sound check-up, changed so that the rule [id] is as severe as this and says [words]. */
internal class FindingCase(val id: FindingId, val severity: Severity, val words: String, edit: Checkup.() -> Checkup) {
    val facts = soundCheckup().edit()
}

/** For each rule: facts on both sides of each threshold, and how bad they are. */
internal val findingCases: List<FindingCase> = listOf(
    FindingCase(FindingId.CORES, PROBLEM, "only one") {
        machine { copy(cores = 1, targetCores = emptyList(), agentCores = emptyList()) }
    },
    FindingCase(FindingId.CORES, NOTE, "no taskset") {
        machine { copy(targetCores = emptyList(), agentCores = emptyList()) }
    },
    FindingCase(FindingId.CORES, FINE, "core 0 for the target and core 1 for") {
        machine { copy(cores = 2, targetCores = listOf(0), agentCores = listOf(1)) }
    },
    FindingCase(FindingId.CPU_QUOTA, PROBLEM, "1.5 of 4 cores") { machine { copy(quotaCores = 1.5) } },
    FindingCase(FindingId.CPU_QUOTA, FINE, "4 cores' worth") { machine { copy(quotaCores = 4.0) } },
    FindingCase(FindingId.BUSY_MACHINE, PROBLEM, "51 %") { machine { copy(busyBefore = 0.51) } },
    FindingCase(FindingId.BUSY_MACHINE, NOTE, "16 %") { machine { copy(busyBefore = 0.16) } },
    FindingCase(FindingId.BUSY_MACHINE, FINE, "15 %") { machine { copy(busyBefore = 0.15) } },
    FindingCase(FindingId.STOLEN_TIME, PROBLEM, "11 %") { copy(steal = 0.11) },
    FindingCase(FindingId.STOLEN_TIME, NOTE, "2.1 %") { copy(steal = 0.021) },
    FindingCase(FindingId.STOLEN_TIME, FINE, "2.0 %") { copy(steal = 0.02) },
    FindingCase(FindingId.MEMORY, PROBLEM, "0.9 GB of 16.0 GB") {
        machine { copy(memoryAvailableBytes = 900_000_000) }
    },
    FindingCase(FindingId.MEMORY, NOTE, "1.9 GB") { machine { copy(memoryAvailableBytes = 1_900_000_000) } },
    FindingCase(FindingId.MEMORY, FINE, "2.0 GB") { machine { copy(memoryAvailableBytes = 2_000_000_000) } },
    FindingCase(FindingId.SWAP, NOTE, "0.2 GB") { machine { copy(swapUsedBytes = 200_000_000) } },
    FindingCase(FindingId.SWAP, FINE, "0.1 GB") { machine { copy(swapUsedBytes = 100_000_000) } },
    FindingCase(FindingId.CLOCK, NOTE, "hpet, 900 ns") {
        machine { copy(clockSource = "hpet", clockReadNanos = 900.0) }
    },
    FindingCase(FindingId.CLOCK, FINE, "kvm-clock, 40 ns") {
        machine { copy(clockSource = "kvm-clock", clockReadNanos = 40.0) }
    },
    FindingCase(FindingId.CORE_SPEED, NOTE, "50 %") {
        machine { copy(frequency = CpuFrequency("schedutil", 1_800.0, 3_600.0)) }
    },
    FindingCase(FindingId.CORE_SPEED, NOTE, "powersave") {
        machine { copy(frequency = CpuFrequency("powersave", null, null)) }
    },
    FindingCase(FindingId.CORE_SPEED, FINE, "powersave") {
        machine { copy(frequency = CpuFrequency("powersave", 2_900.0, 3_600.0)) }
    },
    FindingCase(FindingId.AGENT_ERRORS, PROBLEM, "3 requests") {
        copy(rounds = rounds.map { it.copy(failed = 1) }.take(3))
    },
    FindingCase(FindingId.AGENT_ERRORS, PROBLEM, "2 requests") { copy(lags = listOf(lag(1_000.0, 100.0, failed = 2))) },
    FindingCase(FindingId.AGENT_ERRORS, PROBLEM, "answered nothing") { copy(rounds = rounds(0.0, 0.0, 0.0)) },
    FindingCase(FindingId.SPREAD, PROBLEM, "60 %") { copy(rounds = rounds(70.0, 130.0, 100.0, 130.0, 75.0)) },
    FindingCase(FindingId.SPREAD, NOTE, "60 %") { copy(rounds = rounds(40.0, 98.0, 100.0, 100.0, 100.0)) },
    FindingCase(FindingId.SPREAD, NOTE, "12 %") { copy(rounds = rounds(94.0, 106.0, 100.0)) },
    FindingCase(FindingId.SPREAD, FINE, "9.0 %") { copy(rounds = rounds(95.5, 104.5, 100.0)) },
    FindingCase(FindingId.SENT_LATE, PROBLEM, "10.1 ms late at 1,000/s") {
        copy(lags = listOf(lag(1_000.0, 10_100.0), lag(5_000.0, 500.0)))
    },
    FindingCase(FindingId.SENT_LATE, NOTE, "1.2 ms late at 5,000/s") {
        copy(lags = listOf(lag(1_000.0, 100.0), lag(5_000.0, 1_200.0)))
    },
    FindingCase(FindingId.SENT_LATE, FINE, "990 µs") { copy(lags = listOf(lag(1_000.0, 990.0))) },
    FindingCase(FindingId.STALLS, NOTE, "11.0 ms") { copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 11_000.0))) },
    FindingCase(FindingId.STALLS, FINE, "9.0 ms") { copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 9_000.0))) },
    FindingCase(FindingId.OPEN_FILES, PROBLEM, "1,024 (soft)") { machine { copy(files = FileLimits(1_024, 524_288)) } },
    FindingCase(FindingId.OPEN_FILES, NOTE, "4,096 (hard)") { machine { copy(files = FileLimits(4_096, 4_096)) } },
    FindingCase(FindingId.OPEN_FILES, FINE, "10,000") { machine { copy(files = FileLimits(10_000, null)) } },
    FindingCase(FindingId.OPEN_FILES, FINE, "no limit") { machine { copy(files = FileLimits(null, null)) } },
    FindingCase(FindingId.LOCAL_PORTS, PROBLEM, "501 (60000 to 60500)") {
        network { copy(ports = PortRange(60_000, 60_500)) }
    },
    FindingCase(FindingId.LOCAL_PORTS, NOTE, "5,001") { network { copy(ports = PortRange(50_000, 55_000)) } },
    FindingCase(FindingId.ACCEPT_QUEUE, NOTE, "somaxconn is 128") { network { copy(maxAcceptQueue = 128) } },
    FindingCase(FindingId.HALF_OPEN_QUEUE, NOTE, "backlog is 256") { network { copy(maxHalfOpen = 256) } },
    FindingCase(FindingId.PORT_REUSE, NOTE, "is 0") { network { copy(reuseWaiting = 0) } },
    FindingCase(FindingId.PORT_REUSE, FINE, "is 1") { network { copy(reuseWaiting = 1) } },
)
