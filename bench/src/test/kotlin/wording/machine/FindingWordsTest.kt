package threadgauge.wording.machine

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.judge.machine.checkupOfAMac
import threadgauge.judge.machine.diagnose
import threadgauge.judge.machine.findingCases
import threadgauge.judge.machine.soundCheckup
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingFact.Cause
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity
import threadgauge.model.judgement.Severity.FINE
import threadgauge.model.judgement.Severity.NOTE
import threadgauge.model.judgement.Severity.PROBLEM
import threadgauge.report.shouldBeApproved

class FindingWordsTest {
    private val cases = findingCases.map { case -> diagnose(case.facts).findings.single { it.id == case.id } }

    @Test
    fun `every finding of the doctor's rules reads as approved`() {
        val text = section("A sound machine", diagnose(soundCheckup()).findings.sortedBy { it.id.id }) +
            section("A system that reports little", diagnose(checkupOfAMac()).findings.sortedBy { it.id.id }) +
            section("Each rule on both sides of its limits", cases)
        shouldBeApproved(text, "findings.approved.txt")
    }

    @Test
    fun `what is not fine says why, and what to do`() = cases.forEach { finding ->
        withClue(finding) {
            if (finding.severity == FINE) finding.remedy().shouldBeNull() else finding.remedy().shouldNotBeNull()
            finding.id.why().last() shouldBe '.'
            (finding.command()?.length ?: 0) shouldBeLessThanOrEqual 68
        }
    }

    @Test
    fun `a limit is told with the figure that passed it`() {
        seen(FindingId.SWAP, NOTE, FindingFact.Swap(240_000_000, 100_000_000)) shouldBe "0.2 GB in use (limit 0.1 GB)"
        seen(FindingId.MEMORY, NOTE, FindingFact.Memory(1_500_000_000, 8_000_000_000, 2_000_000_000)) shouldBe
            "1.5 GB of 8.0 GB available (2 GB recommended)"
        seen(FindingId.MEMORY, PROBLEM, FindingFact.Memory(500_000_000, 8_000_000_000, 1_000_000_000)) shouldBe
            "0.5 GB of 8.0 GB available (1 GB needed)"
        seen(FindingId.STOLEN_TIME, NOTE, FindingFact.Stolen(0.034, limit = 0.02)) shouldBe
            "the hypervisor took 3.4 % of the CPU time during the check (limit 2 %)"
        seen(FindingId.AGENT_ERRORS, PROBLEM, FindingFact.Failures(1, silentRounds = 0)) shouldBe
            "1 request to the internal server failed"
    }

    @Test
    fun `remedies follow what was seen`() {
        fun remedy(cause: Cause) = Finding(FindingId.CORES, NOTE, FindingFact.NotPinned(4, cause)).remedy()
        Cause.entries.map { remedy(it) }.distinct().size shouldBe Cause.entries.size
        Finding(FindingId.CORES, NOTE, FindingFact.NotPinned(4, Cause.NO_TASKSET)).command() shouldBe
            "sudo apt install util-linux"
        Finding(FindingId.ACCEPT_QUEUE, NOTE, FindingFact.Queue("net.core.somaxconn", 128, 1_000)).command() shouldBe
            "sudo sysctl -w net.core.somaxconn=4096"
        Finding(FindingId.SWAP, FINE, FindingFact.Swap(0)).command().shouldBeNull()
    }

    @Test
    fun `ids in JSON are those that people read`() {
        val json = FindingId.entries.map { Json.encodeToJsonElement(FindingId.serializer(), it) }
        json.map { it.jsonPrimitive.content } shouldContainExactly FindingId.entries.map { it.id }
    }

    private fun seen(id: FindingId, severity: Severity, fact: FindingFact) = Finding(id, severity, fact).seen()

    private fun section(title: String, findings: List<Finding>) =
        findings.joinToString("\n", "# $title\n\n", "\n\n") { text(it) }

    private fun text(finding: Finding) = listOfNotNull(
        "${finding.severity} ${finding.id.id}: ${finding.seen()}", "  ${finding.id.why()}",
        finding.remedy()?.let { "  $it" }, finding.command()?.let { "  $ $it" },
    ).joinToString("\n")
}
