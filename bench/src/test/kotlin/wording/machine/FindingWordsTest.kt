package threadgauge.wording.machine

import org.junit.jupiter.api.Test
import threadgauge.judge.machine.checkupOfAMac
import threadgauge.judge.machine.diagnose
import threadgauge.judge.machine.findingCases
import threadgauge.judge.machine.soundCheckup
import threadgauge.model.judgement.Finding
import threadgauge.report.shouldBeApproved

class FindingWordsTest {
    @Test
    fun `every finding of the doctor's rules reads as approved`() {
        val cases = findingCases.map { case -> diagnose(case.facts).findings.single { it.id == case.id } }
        val text = section("A sound machine", diagnose(soundCheckup()).findings.sortedBy { it.id.id }) +
            section("A system that reports little", diagnose(checkupOfAMac()).findings.sortedBy { it.id.id }) +
            section("Each rule on both sides of its limits", cases)
        shouldBeApproved(text, "findings.approved.txt")
    }

    private fun section(title: String, findings: List<Finding>) =
        findings.joinToString("\n", "# $title\n\n", "\n\n") { text(it) }

    private fun text(finding: Finding) = listOfNotNull(
        "${finding.severity} ${finding.id.id}: ${finding.seen()}", "  ${finding.id.why()}",
        finding.remedy()?.let { "  $it" }, finding.command()?.let { "  $ $it" },
    ).joinToString("\n")
}
