package threadgauge.judge.machine

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.model.Checkup
import threadgauge.model.CpuFrequency
import threadgauge.model.FileLimits
import threadgauge.model.PortRange
import threadgauge.model.judgement.Severity
import threadgauge.model.judgement.Severity.FINE
import threadgauge.model.judgement.Severity.NOTE
import threadgauge.model.judgement.Severity.PROBLEM

class DiagnoseTest {
    private val sound = soundCheckup()

    /** For each rule: facts on both sides of each threshold, and how bad they are. */
    private val cases: List<Case> = listOf(
        Case("cores", PROBLEM, "only one") { machine { copy(cores = 1, targetCores = emptyList(), agentCores = emptyList()) } },
        Case("cores", NOTE, "no taskset") { machine { copy(targetCores = emptyList(), agentCores = emptyList()) } },
        Case("cores", FINE, "core 0 for the target and core 1 for") {
            machine { copy(cores = 2, targetCores = listOf(0), agentCores = listOf(1)) }
        },
        Case("cpu-quota", PROBLEM, "1.5 of 4 cores") { machine { copy(quotaCores = 1.5) } },
        Case("cpu-quota", FINE, "4 cores' worth") { machine { copy(quotaCores = 4.0) } },
        Case("busy-machine", PROBLEM, "51 %") { machine { copy(busyBefore = 0.51) } },
        Case("busy-machine", NOTE, "16 %") { machine { copy(busyBefore = 0.16) } },
        Case("busy-machine", FINE, "15 %") { machine { copy(busyBefore = 0.15) } },
        Case("stolen-time", PROBLEM, "11 %") { copy(steal = 0.11) },
        Case("stolen-time", NOTE, "2.1 %") { copy(steal = 0.021) },
        Case("stolen-time", FINE, "2.0 %") { copy(steal = 0.02) },
        Case("memory", PROBLEM, "0.9 GB of 16.0 GB") { machine { copy(memoryAvailableBytes = 900_000_000) } },
        Case("memory", NOTE, "1.9 GB") { machine { copy(memoryAvailableBytes = 1_900_000_000) } },
        Case("memory", FINE, "2.0 GB") { machine { copy(memoryAvailableBytes = 2_000_000_000) } },
        Case("swap", NOTE, "0.2 GB") { machine { copy(swapUsedBytes = 200_000_000) } },
        Case("swap", FINE, "0.1 GB") { machine { copy(swapUsedBytes = 100_000_000) } },
        Case("clock", NOTE, "hpet, 900 ns") { machine { copy(clockSource = "hpet", clockReadNanos = 900.0) } },
        Case("clock", FINE, "kvm-clock, 40 ns") { machine { copy(clockSource = "kvm-clock", clockReadNanos = 40.0) } },
        Case("core-speed", NOTE, "50 %") { machine { copy(frequency = CpuFrequency("schedutil", 1_800.0, 3_600.0)) } },
        Case("core-speed", NOTE, "powersave") { machine { copy(frequency = CpuFrequency("powersave", null, null)) } },
        Case("core-speed", FINE, "powersave") { machine { copy(frequency = CpuFrequency("powersave", 2_900.0, 3_600.0)) } },
        Case("agent-errors", PROBLEM, "3 requests") { copy(rounds = rounds.map { it.copy(failed = 1) }.take(3)) },
        Case("agent-errors", PROBLEM, "2 requests") { copy(lags = listOf(lag(1_000.0, 100.0, failed = 2))) },
        Case("agent-errors", PROBLEM, "answered nothing") { copy(rounds = rounds(0.0, 0.0, 0.0)) },
        Case("spread", PROBLEM, "60 %") { copy(rounds = rounds(70.0, 130.0, 100.0, 130.0, 75.0)) },
        Case("spread", NOTE, "60 %") { copy(rounds = rounds(40.0, 98.0, 100.0, 100.0, 100.0)) },
        Case("spread", NOTE, "12 %") { copy(rounds = rounds(94.0, 106.0, 100.0)) },
        Case("spread", FINE, "9.0 %") { copy(rounds = rounds(95.5, 104.5, 100.0)) },
        Case("sent-late", PROBLEM, "10.1 ms late at 1,000/s") { copy(lags = listOf(lag(1_000.0, 10_100.0), lag(5_000.0, 500.0))) },
        Case("sent-late", NOTE, "1.2 ms late at 5,000/s") { copy(lags = listOf(lag(1_000.0, 100.0), lag(5_000.0, 1_200.0))) },
        Case("sent-late", FINE, "990 µs") { copy(lags = listOf(lag(1_000.0, 990.0))) },
        Case("stalls", NOTE, "11.0 ms") { copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 11_000.0))) },
        Case("stalls", FINE, "9.0 ms") { copy(lags = listOf(lag(1_000.0, 100.0, stallMicros = 9_000.0))) },
        Case("open-files", PROBLEM, "1,024 (soft)") { machine { copy(files = FileLimits(1_024, 524_288)) } },
        Case("open-files", NOTE, "4,096 (hard)") { machine { copy(files = FileLimits(4_096, 4_096)) } },
        Case("open-files", FINE, "10,000") { machine { copy(files = FileLimits(10_000, null)) } },
        Case("open-files", FINE, "no limit") { machine { copy(files = FileLimits(null, null)) } },
        Case("local-ports", PROBLEM, "501 (60000 to 60500)") { network { copy(ports = PortRange(60_000, 60_500)) } },
        Case("local-ports", NOTE, "5,001") { network { copy(ports = PortRange(50_000, 55_000)) } },
        Case("accept-queue", NOTE, "somaxconn is 128") { network { copy(maxAcceptQueue = 128) } },
        Case("half-open-queue", NOTE, "backlog is 256") { network { copy(maxHalfOpen = 256) } },
        Case("port-reuse", NOTE, "is 0") { network { copy(reuseWaiting = 0) } },
        Case("port-reuse", FINE, "is 1") { network { copy(reuseWaiting = 1) } },
    )

    @Test
    fun `a sound machine is fit, and nothing is held against it`() {
        val diagnosis = diagnose(sound)
        diagnosis.findings.filter { it.severity != FINE }.shouldBeEmpty()
        diagnosis.fit shouldBe true
    }

    @Test
    fun `each rule is as severe as its facts, says what it saw, and leaves the other rules alone`() = cases.forEach { case ->
        withClue("${case.name} ${case.severity}") {
            val diagnosis = diagnose(case.facts)
            val finding = diagnosis.findings.single { it.name == case.name }
            finding.severity shouldBe case.severity
            finding.seen shouldContain case.words
            diagnosis.findings.filter { it.severity != FINE && it.name != case.name }.shouldBeEmpty()
            diagnosis.fit shouldBe (case.severity != PROBLEM)
        }
    }

    @Test
    fun `what is not fine says why, and what to do`() = cases.filter { it.severity != FINE }.forEach { case ->
        withClue(case.name) {
            val finding = diagnose(case.facts).findings.single { it.name == case.name }
            finding.remedy.shouldNotBeNull()
            finding.why.last() shouldBe '.'
            (finding.command?.length ?: 0) shouldBeLessThanOrEqual 68
        }
    }

    @Test
    fun `every rule has a case in which it finds something, and all names differ`() {
        val rules = (machineRules + agentRules + limitRules).map { it.name }
        rules shouldContainExactlyInAnyOrder rules.distinct()
        cases.filter { it.severity != FINE }.map { it.name }.distinct() shouldContainExactlyInAnyOrder rules
    }

    @Test
    fun `problems come first, then notes`() {
        val sick = sound.machine { copy(busyBefore = 0.9) }.network { copy(reuseWaiting = 0) }
        diagnose(sick).findings.map { it.severity }.distinct() shouldContainExactly listOf(PROBLEM, NOTE, FINE)
    }

    @Test
    fun `a Mac tells little, and is fit with a note that nothing is pinned`() {
        val diagnosis = diagnose(checkupOfAMac())
        diagnosis.fit shouldBe true
        diagnosis.findings.filter { it.severity != FINE }.map { it.name } shouldContainExactly listOf("cores")
        diagnosis.findings.map { it.seen } shouldContain "the system does not tell how much memory is available"
        diagnosis.reach.connectionsOfAgent.shouldBeNull()
    }

    @Test
    fun `how far measurements go follows from the figures`() {
        val reach = diagnose(sound).reach
        reach.agentPerSecond shouldBe 100_000.0
        reach.agentCpuMicrosPerRequest shouldBe 8.0
        reach.soundPerSecond shouldBe 50_000.0
        reach.maxPerSecond.shouldNotBeNull() shouldBe (70_000.0 plusOrMinus 0.001)
        reach.latencies.map { it.ratePerSecond to it.fromMicros } shouldContainExactly listOf(1_000.0 to 1_000.0, 5_000.0 to 2_500.0)
        reach.connectionsOfTarget shouldBe 65_336
        reach.connectionsOfAgent shouldBe 28_232
        // ln of the rounds: standard deviation 0.0079; t(8) = 2.306; 2.306 × 0.0079 × √(2/5) = 0.0115 if they were normal.
        reach.smallestDifference.shouldNotBeNull() shouldBe (0.0116 plusOrMinus 0.0008)
    }

    @Test
    fun `rounds that are all alike leave no difference unseen, and two rounds tell none`() {
        diagnose(sound.copy(rounds = rounds(5.0, 5.0, 5.0))).reach.smallestDifference shouldBe 0.0
        diagnose(sound.copy(rounds = rounds(5.0, 6.0))).reach.smallestDifference.shouldBeNull()
    }

    @Test
    fun `nothing measured is no crash`() {
        val reach = diagnose(sound.copy(rounds = emptyList(), lags = emptyList())).reach
        reach.agentPerSecond.shouldBeNull()
        reach.latencies.shouldBeEmpty()
    }

    private inner class Case(val name: String, val severity: Severity, val words: String, edit: Checkup.() -> Checkup) {
        val facts = sound.edit()
    }
}
