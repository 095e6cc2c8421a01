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
import threadgauge.model.judgement.Precision
import threadgauge.model.judgement.Severity
import threadgauge.report.format.number
import threadgauge.report.terminal.blank
import threadgauge.report.terminal.hanging
import threadgauge.report.terminal.paragraph
import threadgauge.wording.machine.advice
import threadgauge.wording.machine.assumptions
import threadgauge.wording.machine.command
import threadgauge.wording.machine.remedy
import threadgauge.wording.machine.seen
import threadgauge.wording.machine.why
import threadgauge.wording.machine.words

/**
 * The output of the doctor: the answer, the range of sound measurements, what runs should reach, the figures, and the
 * findings. It fits 80 columns and does not rely on colour.
 */
fun doctorReport(checkup: Checkup, diagnosis: Diagnosis): Widget = verticalLayout {
    spacing = 0
    answer(diagnosis)
    paragraph(dim(machineWords(checkup.machine)))
    title("What this machine can measure")
    diagnosis.reach.words(diagnosis.precision).forEach { (what, words) -> hanging("  $what", words, LABEL_WIDTH) }
    diagnosis.precision?.let {
        title("How sure a run can be here")
        paragraph(it.words())
        blank()
        cell(precisionTable(it))
        blank()
        paragraph(dim(it.assumptions()))
    }
    title("Speed of the load agent, against a server that does nothing")
    speedWords(checkup, diagnosis.reach).forEach { (what, words) -> hanging("  $what", words, LABEL_WIDTH) }
    if (checkup.lags.isNotEmpty()) {
        title("Send delay of the load agent")
        cell(lagTable(checkup.lags))
    }
    title("Checks")
    diagnosis.findings.forEach { finding(it) }
    diagnosis.advice()?.let {
        blank()
        paragraph(it)
    }
}

private fun VerticalLayoutBuilder.answer(diagnosis: Diagnosis) {
    val words = diagnosis.words()
    val colour = if (diagnosis.fit) green else red
    paragraph(colour(bold(words.verdict)) + " " + words.rest)
}

private fun VerticalLayoutBuilder.title(words: String) {
    blank()
    paragraph(bold(words))
}

/** One line for what is fine; the reason, the remedy and a command for the rest. */
private fun VerticalLayoutBuilder.finding(finding: Finding) {
    val sign = when (finding.severity) {
        Severity.FINE -> green("ok")
        Severity.NOTE -> yellow("note")
        Severity.PROBLEM -> red(bold("problem"))
    }
    val name = finding.id.id.replace('-', ' ')
    if (finding.severity == Severity.FINE) {
        hanging("  $sign", dim("$name: ${finding.seen()}"), SEVERITY_WIDTH)
        return
    }
    hanging("  $sign", bold(name) + ": " + finding.seen(), SEVERITY_WIDTH)
    hanging("", finding.id.why(), SEVERITY_WIDTH)
    finding.remedy()?.let { hanging("", it, SEVERITY_WIDTH) }
    finding.command()?.let { hanging("", "$ " + bold(it), SEVERITY_WIDTH) }
}

private fun lagTable(lags: List<SendLag>): Widget = table {
    tableBorders = Borders.NONE
    cellBorders = Borders.NONE
    padding = Padding(0, 3, 0, 0)
    align = TextAlign.RIGHT
    column(0) { padding = Padding(0, 3, 0, 2) }
    header { row(*listOf("requests/s", "p50", "p99", "max", "longest stall").map { dim(it) }.toTypedArray()) }
    body {
        lags.forEach { lag ->
            val delay = lag.sendDelay
            val times =
                listOf(delay.p50Micros, delay.p99Micros, delay.maxMicros, lag.loopLagMicrosMax).map { lateness(it) }
            row(*(listOf(number(lag.ratePerSecond)) + times).toTypedArray())
        }
    }
}

/** A line for each number of stacks, a column for each length of a run. */
private fun precisionTable(precision: Precision): Widget = table {
    tableBorders = Borders.NONE
    cellBorders = Borders.NONE
    padding = Padding(0, 3, 0, 0)
    align = TextAlign.RIGHT
    column(0) {
        padding = Padding(0, 3, 0, 2)
        align = TextAlign.LEFT
    }
    val minutes = precision.runs.map { it.minutes }.distinct()
    header { row(*(listOf("a run of") + minutes.map { "$it min" }).map { dim(it) }.toTypedArray()) }
    body {
        precision.runs.groupBy { it.stacks }.forEach { (stacks, runs) ->
            row(*(listOf("$stacks stacks") + runs.map { it.words() }).toTypedArray())
        }
    }
}

private const val LABEL_WIDTH = 15
private const val SEVERITY_WIDTH = 9
