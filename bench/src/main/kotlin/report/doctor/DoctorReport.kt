package threadgauge.report.doctor

import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextColors.green
import com.github.ajalt.mordant.rendering.TextColors.red
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.table.verticalLayout
import com.github.ajalt.mordant.widgets.Padding
import threadgauge.model.Checkup
import threadgauge.model.SendLag
import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.Severity
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.terminal.blank
import threadgauge.report.terminal.hanging
import threadgauge.report.terminal.paragraph

/**
 * What the doctor prints: the answer, what can be measured here, the figures it stands on, and what was found. It fits
 * 80 columns and says the same without colour.
 */
fun doctorReport(checkup: Checkup, diagnosis: Diagnosis): Widget = verticalLayout {
    spacing = 0
    answer(diagnosis)
    paragraph(dim(machineWords(checkup.machine)))
    title("What this machine can measure")
    reachWords(diagnosis.reach, checkup.rounds.size).forEach { (what, words) -> hanging("  $what", words, LABEL_WIDTH) }
    title("How fast the load agent is here, against a server that does nothing")
    speedWords(checkup, diagnosis.reach).forEach { (what, words) -> hanging("  $what", words, LABEL_WIDTH) }
    if (checkup.lags.isNotEmpty()) {
        title("How late its requests leave")
        cell(lagTable(checkup.lags))
    }
    title("What was looked at")
    diagnosis.findings.forEach { finding(it) }
    if (!diagnosis.fit) {
        blank()
        paragraph("Mend what is marked as a problem, then ask the doctor again.")
    }
}

private fun VerticalLayoutBuilder.answer(diagnosis: Diagnosis) {
    val notes = diagnosis.findings.count { it.severity == Severity.NOTE }
    val problems = diagnosis.findings.count { it.severity == Severity.PROBLEM }
    val and = if (notes == 0) "" else " and ${count(notes, "note")}"
    val words = when {
        problems > 0 -> red(bold("This machine is not fit to measure now:")) + " ${count(problems, "problem")}$and, see below."
        notes > 0 -> green(bold("This machine is fit to measure,")) + " with ${count(notes, "note")}, see below."
        else -> green(bold("This machine is fit to measure.")) + " Nothing was found that would spoil a figure."
    }
    paragraph(words)
}

private fun VerticalLayoutBuilder.title(words: String) {
    blank()
    paragraph(bold(words))
}

/** What is fine takes a line; what is not says what to do about it, with the command ready to be copied. */
private fun VerticalLayoutBuilder.finding(finding: Finding) {
    val sign = when (finding.severity) {
        Severity.FINE -> green("ok")
        Severity.NOTE -> yellow("note")
        Severity.PROBLEM -> red(bold("problem"))
    }
    val name = finding.name.replace('-', ' ')
    if (finding.severity == Severity.FINE) {
        hanging("  $sign", dim("$name: ${finding.seen}"), SEVERITY_WIDTH)
        return
    }
    hanging("  $sign", bold(name) + ": " + finding.seen, SEVERITY_WIDTH)
    hanging("", finding.why, SEVERITY_WIDTH)
    finding.remedy?.let { hanging("", it, SEVERITY_WIDTH) }
    finding.command?.let { hanging("", "$ " + bold(it), SEVERITY_WIDTH) }
}

private fun lagTable(lags: List<SendLag>): Widget = table {
    tableBorders = Borders.NONE
    cellBorders = Borders.NONE
    padding = Padding(0, 3, 0, 0)
    align = TextAlign.RIGHT
    column(0) { padding = Padding(0, 3, 0, 2) }
    header { row(*listOf("requests/s", "p50", "p99", "latest", "worst stall").map { dim(it) }.toTypedArray()) }
    body {
        lags.forEach { lag ->
            val delay = lag.sendDelay
            val times = listOf(delay.p50Micros, delay.p99Micros, delay.maxMicros, lag.loopLagMicrosMax).map { lateness(it) }
            row(*(listOf(number(lag.ratePerSecond)) + times).toTypedArray())
        }
    }
}

private const val LABEL_WIDTH = 15
private const val SEVERITY_WIDTH = 9
