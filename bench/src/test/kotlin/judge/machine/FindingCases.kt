package threadgauge.judge.machine

import threadgauge.model.Checkup
import threadgauge.model.CpuFrequency
import threadgauge.model.FileLimits
import threadgauge.model.PortRange
import threadgauge.model.judgement.Severity
import threadgauge.model.judgement.Severity.FINE
import threadgauge.model.judgement.Severity.NOTE
import threadgauge.model.judgement.Severity.PROBLEM

/** A sound check-up, changed so that the rule [name] is as severe as this and says [words]. */
internal class FindingCase(val name: String, val severity: Severity, val words: String, edit: Checkup.() -> Checkup) {
    val facts = soundCheckup().edit()
}

/** For each rule: facts on both sides of each threshold, and how bad they are. */
internal val findingCases: List<FindingCase> = listOf(
    FindingCase("cores", PROBLEM, "only one") {
        machine { copy(cores = 1, targetCores = emptyList(), agentCores = emptyList()) }
    },
    FindingCase("cores", NOTE, "no taskset") { machine { copy(targetCores = emptyList(), agentCores = emptyList()) } },
    FindingCase("cores", FINE, "core 0 for the target and core 1 for") {
        machine { copy(cores = 2, targetCores = listOf(0), agentCores = listOf(1)) }
    },
    FindingCase("cpu-quota", PROBLEM, "1.5 of 4 cores") { machine { copy(quotaCores = 1.5) } },
    FindingCase("cpu-quota", FINE, "4 cores' worth") { machine { copy(quotaCores = 4.0) } },
    FindingCase("busy-machine", PROBLEM, "51 %") { machine { copy(busyBefore = 0.51) } },
    FindingCase("busy-machine", NOTE, "16 %") { machine { copy(busyBefore = 0.16) } },
    FindingCase("busy-machine", FINE, "15 %") { machine { copy(busyBefore = 0.15) } },
    FindingCase("stolen-time", PROBLEM, "11 %") { copy(steal = 0.11) },
    FindingCase("stolen-time", NOTE, "2.1 %") { copy(steal = 0.021) },
    FindingCase("stolen-time", FINE, "2.0 %") { copy(steal = 0.02) },
    FindingCase("memory", PROBLEM, "0.9 GB of 16.0 GB") { machine { copy(memoryAvailableBytes = 900_000_000) } },
    FindingCase("memory", NOTE, "1.9 GB") { machine { copy(memoryAvailableBytes = 1_900_000_000) } },
    FindingCase("memory", FINE, "2.0 GB") { machine { copy(memoryAvailableBytes = 2_000_000_000) } },
    FindingCase("swap", NOTE, "0.2 GB") { machine { copy(swapUsedBytes = 200_000_000) } },
    FindingCase("swap", FINE, "0.1 GB") { machine { copy(swapUsedBytes = 100_000_000) } },
    FindingCase("clock", NOTE, "hpet, 900 ns") { machine { copy(clockSource = "hpet", clockReadNanos = 900.0) } },
    FindingCase("clock", FINE, "kvm-clock, 40 ns") {
        machine { copy(clockSource = "kvm-clock", clockReadNanos = 40.0) }
    },
    FindingCase("core-speed", NOTE, "50 %") {
        machine { copy(frequency = CpuFrequency("schedutil", 1_800.0, 3_600.0)) }
    },
    FindingCase("core-speed", NOTE, "powersave") {
        machine { copy(frequency = CpuFrequency("powersave", null, null)) }
    },
    FindingCase("core-speed", FINE, "powersave") {
        machine { copy(frequency = CpuFrequency("powersave", 2_900.0, 3_600.0)) }
    },
    FindingCase("agent-errors", PROBLEM, "3 requests") { copy(rounds = rounds.map { it.copy(failed = 1) }.take(3)) },
    FindingCase("agent-errors", PROBLEM, "2 requests") { copy(lags = listOf(lag(1_000.0, 100.0, failed = 2))) },
    FindingCase("agent-errors", PROBLEM, "answered nothing") { copy(rounds = rounds(0.0, 0.0, 0.0)) },
    FindingCase("spread", PROBLEM, "60 %") { copy(rounds = rounds(70.0, 130.0, 100.0, 130.0, 75.0)) },
    FindingCase("spread", NOTE, "60 %") { copy(rounds = rounds(40.0, 98.0, 100.0, 100.0, 100.0)) },
    FindingCase("spread", NOTE, "12 %") { copy(rounds = rounds(94.0, 106.0, 100.0)) },
    FindingCase("spread", FINE, "9.0 %") { copy(rounds = rounds(95.5, 104.5, 100.0)) },
    FindingCase("sent-late", PROBLEM, "10.1 ms late at 1,000/s") {
        copy(lags = listOf(lag(1_000.0, 10_100.0), lag(5_000.0, 500.0)))
    },
    FindingCase("sent-late", NOTE, "1.2 ms late at 5,000/s") {
        copy(lags = listOf(lag(1_000.0, 100.0), lag(5_000.0, 1_200.0)))
    },
    FindingCase("sent-late", FINE, "990 µs") { copy(lags = listOf(lag(1_000.0, 990.0))) },
    FindingCase("stalls", NOTE, "11.0 ms") { copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 11_000.0))) },
    FindingCase("stalls", FINE, "9.0 ms") { copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 9_000.0))) },
    FindingCase("open-files", PROBLEM, "1,024 (soft)") { machine { copy(files = FileLimits(1_024, 524_288)) } },
    FindingCase("open-files", NOTE, "4,096 (hard)") { machine { copy(files = FileLimits(4_096, 4_096)) } },
    FindingCase("open-files", FINE, "10,000") { machine { copy(files = FileLimits(10_000, null)) } },
    FindingCase("open-files", FINE, "no limit") { machine { copy(files = FileLimits(null, null)) } },
    FindingCase("local-ports", PROBLEM, "501 (60000 to 60500)") { network { copy(ports = PortRange(60_000, 60_500)) } },
    FindingCase("local-ports", NOTE, "5,001") { network { copy(ports = PortRange(50_000, 55_000)) } },
    FindingCase("accept-queue", NOTE, "somaxconn is 128") { network { copy(maxAcceptQueue = 128) } },
    FindingCase("half-open-queue", NOTE, "backlog is 256") { network { copy(maxHalfOpen = 256) } },
    FindingCase("port-reuse", NOTE, "is 0") { network { copy(reuseWaiting = 0) } },
    FindingCase("port-reuse", FINE, "is 1") { network { copy(reuseWaiting = 1) } },
)
