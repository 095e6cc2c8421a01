package threadgauge.report

import threadgauge.model.AgentRound
import threadgauge.model.Checkup
import threadgauge.model.Latency
import threadgauge.model.MachineFacts
import threadgauge.model.SendLag
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.LatencyReach
import threadgauge.model.judgement.Reach
import threadgauge.model.judgement.Severity

internal fun exampleCheckup() = Checkup(
    threadgauge = "0.1.0",
    machine = MachineFacts("Example CPU", "Example Linux", "Linux 6.12", "OpenJDK 25", cores = 2, memoryBytes = 8_000_000_000),
    rounds = listOf(118_400.0, 121_300.0, 119_900.0, 97_210.0, 122_000.0).map { AgentRound(it, 8e5 / it * 1.2, failed = 0) },
    lags = listOf(exampleLag(1_000.0, 62.0, 410.0), exampleLag(5_000.0, 101.0, 2_310.0)),
    steal = 0.0,
)

/** Invented, and so are its words: those of the rules are made by `judge`. */
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
    ),
    findings = listOf(
        Finding(
            "open-files", Severity.PROBLEM, "1,024 (soft) and 1,024 (hard) for each process (limit 1,200)",
            "Each connection takes one open file of the agent and one of the target.",
            "Raise the limit in the shell from which you start Threadgauge:", "sudo prlimit --pid $$ --nofile=65536",
        ),
        Finding(
            "clock", Severity.NOTE, "hpet, 910 ns to read (limit 200 ns)",
            "Agent and servers read the clock several times for each request.",
            "Let the kernel use the processor's own counter, if it can:",
            "sudo tee /sys/bus/clocksource/devices/*/current_clocksource <<< tsc",
        ),
        Finding("cores", Severity.FINE, "2 in all, core 0 for the target and core 1 for the load agent", "Never shown for what is fine."),
        Finding("core-speed", Severity.FINE, "the system does not tell it, as is usual in virtual machines", "As above."),
    ),
)

private fun exampleLag(rate: Double, p50: Double, p99: Double) = SendLag(
    ratePerSecond = rate,
    sendDelay = Latency((rate * 3).toLong(), p50, 1.0, p50, p50 * 2, p99, null, p99 * 3),
    loopLagMicrosMax = p99 * 1.4,
    quantumMicros = 0.0,
    failed = 0,
)
