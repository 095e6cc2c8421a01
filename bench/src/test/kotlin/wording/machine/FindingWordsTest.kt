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
        val cases = findingCases.map { case -> diagnose(case.facts).findings.single { it.name == case.name } }
        val text = section("A sound machine", diagnose(soundCheckup()).findings.sortedBy { it.name }) +
            section("A system that reports little", diagnose(checkupOfAMac()).findings.sortedBy { it.name }) +
            section("Each rule on both sides of its limits", cases)
        shouldBeApproved(text, "findings.approved.txt")
    }

    private fun section(title: String, findings: List<Finding>) =
        findings.joinToString("\n", "# $title\n\n", "\n\n") { text(it) }

    private fun text(finding: Finding) = listOfNotNull(
        "${finding.severity} ${finding.name}: ${finding.seen}", "  ${finding.why}", finding.remedy?.let { "  $it" },
        finding.command?.let { "  $ $it" },
    ).joinToString("\n")
}
