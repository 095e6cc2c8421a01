package threadgauge.judge.machine

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity.FINE
import threadgauge.model.judgement.Severity.NOTE
import threadgauge.model.judgement.Severity.PROBLEM

class DiagnoseTest {
    private val sound = soundCheckup()

    @Test
    fun `a sound machine is fit, and nothing is held against it`() {
        val diagnosis = diagnose(sound)
        diagnosis.findings.filter { it.severity != FINE }.shouldBeEmpty()
        diagnosis.fit shouldBe true
    }

    @Test
    fun `each rule is as severe as its facts, and leaves the others alone`() = findingCases.forEach { case ->
        withClue("${case.id} ${case.severity}") {
            val diagnosis = diagnose(case.facts)
            val finding = diagnosis.findings.single { it.id == case.id }
            finding.severity shouldBe case.severity
            finding.fact shouldBe case.fact
            diagnosis.findings.filter { it.severity != FINE && it.id != case.id }.shouldBeEmpty()
            diagnosis.fit shouldBe (case.severity != PROBLEM)
        }
    }

    @Test
    fun `every id has one rule, and a case in which the rule finds something`() {
        (machineRules + agentRules + limitRules).map { it.id } shouldContainExactlyInAnyOrder FindingId.entries
        findingCases.filter { it.severity != FINE }.map { it.id }.distinct() shouldContainExactlyInAnyOrder
            FindingId.entries
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
        diagnosis.findings.filter { it.severity != FINE }.map { it.id } shouldContainExactly listOf(FindingId.CORES)
        diagnosis.findings.single { it.id == FindingId.MEMORY }.fact shouldBe FindingFact.Unknown
        diagnosis.reach.connectionsOfAgent.shouldBeNull()
    }

    @Test
    fun `how far measurements go follows from the figures`() {
        val reach = diagnose(sound).reach
        reach.agentPerSecond shouldBe 100_000.0
        reach.agentCpuMicrosPerRequest shouldBe 8.0
        reach.soundPerSecond shouldBe 50_000.0
        reach.maxPerSecond.shouldNotBeNull() shouldBe (70_000.0 plusOrMinus 0.001)
        reach.latencies.map { it.ratePerSecond to it.fromMicros } shouldContainExactly
            listOf(1_000.0 to 1_000.0, 5_000.0 to 2_500.0)
        reach.connectionsOfTarget shouldBe 65_336
        reach.connectionsOfAgent shouldBe 28_232
        // ln of the rounds: standard deviation 0.0079; t(8) = 2.306.
        // 2.306 × 0.0079 × √(2/5) = 0.0115 if they were normal.
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
}
