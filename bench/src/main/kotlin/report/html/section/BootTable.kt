package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.TH
import kotlinx.html.Tag
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.Boot
import threadgauge.model.Trial
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.html.chart.cssPercent
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.chart.upright
import threadgauge.report.html.drawing
import threadgauge.report.html.markSign
import threadgauge.report.regression.title

/** Boot times to the open port, to the first correct answer, and as the server logs them. */
internal fun FlowContent.bootTable(subject: ReportContext) {
    h3 { +"Boot" }
    val longest = subject.record.trials.mapNotNull { it.boot?.firstAnswerMillis }.maxOrNull()
        ?: return p { +"Threadgauge started no process, or none answered." }
    div("scroll") {
        scrollable("Boot times")
        table("boot") {
            caption {
                +"Milliseconds from the start of the process; median of the trials, below it minimum and maximum. "
                +"The drawing shows each trial from its open port (upright line) to its first correct answer (dot)."
            }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Stack" }
                    th(scope = ThScope.col, classes = "boot-plot") { bootScale(longest) }
                    listOf("Port open", "First correct answer", "Self-reported", "Memory when idle, MB")
                        .forEach { th(scope = ThScope.col, classes = "number") { +it } }
                }
            }
            tbody { subject.stacks.forEach { bootRow(subject, it, longest) } }
        }
    }
    startCostTable(subject)
}

/** Costs of a start. Columns without any figure are left out. */
private fun FlowContent.startCostTable(subject: ReportContext) {
    val columns = COSTS.filter { cost -> subject.record.trials.any { cost.of(it) != null } }
    if (columns.isEmpty()) return
    div("scroll") {
        scrollable("Costs of a start")
        table {
            caption {
                +"Costs of a start besides time; median of the trials, below it minimum and maximum. Percentages are "
                +"of the cores that the server may use."
            }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Stack" }
                    columns.forEach { th(scope = ThScope.col, classes = "number") { +it.title } }
                }
            }
            tbody {
                subject.stacks.forEach { stack ->
                    tr {
                        th(scope = ThScope.row) { markSign(subject.mark(stack)); +subject.title(stack) }
                        columns.forEach { cost -> td("number") { spread(subject.trials(stack).mapNotNull(cost.of)) } }
                    }
                }
            }
        }
    }
}

private class StartCost(val title: String, val of: (Trial) -> Double?)

private val COSTS = listOf(
    StartCost("CPU time, ms") { it.boot?.cpuMillis },
    StartCost("Peak CPU over 0.5 s, %") { it.boot?.cpuPeakShare?.times(100) },
    StartCost("Loaded classes") { it.idle?.loadedClasses?.toDouble() },
    StartCost("Heap at the first GC, MB") { it.firstCollectionBytes?.div(1e6) },
    StartCost("CPU at rest, %") { it.rest?.cpuShare?.times(100) },
)

private fun TBODY.bootRow(subject: ReportContext, stack: String, longest: Double) = tr {
    val trials = subject.trials(stack)
    val boots = trials.mapNotNull { it.boot }
    val mark = subject.mark(stack)
    th(scope = ThScope.row) { markSign(mark); +subject.title(stack) }
    td("boot-plot stack-${mark.colour}") { bootStrip(boots, longest) }
    td("number") { spread(boots.map { it.portOpenMillis }) }
    td("number") { spread(boots.map { it.firstAnswerMillis }) }
    td("number") { spread(trials.mapNotNull { it.boot?.frameworkMillis ?: it.runtime?.startupMillis }) }
    td("number") { spread(trials.mapNotNull { it.idle?.rssBytes?.let { bytes -> bytes / 1e6 } }) }
}

private fun TH.bootScale(longest: Double) = span("scale") {
    span { +"0" }
    span { +"${number(longest)} ms" }
}

/** One thin line for each trial, so that a single slow start does not look like a slow stack. */
private fun Tag.bootStrip(boots: List<Boot>, longest: Double) {
    fun at(millis: Double) = cssPercent((millis / longest).coerceIn(0.0, 1.0))
    val height = boots.size * BOOT_ROW + 4
    drawing("svg", "width" to "100%", "height" to "$height", "class" to "strip", "aria-hidden" to "true") {
        upright("grid", "0%", 0, height)
        boots.forEachIndexed { index, boot ->
            val y = index * BOOT_ROW + BOOT_ROW / 2 + 2
            drawing(
                "line", "class" to "stem", "x1" to "0%", "x2" to at(boot.firstAnswerMillis), "y1" to "$y", "y2" to "$y",
            )
            upright("interval", at(boot.portOpenMillis), y - 3, y + 3)
            drawing("circle", "class" to "answered", "cx" to at(boot.firstAnswerMillis), "cy" to "$y", "r" to "3")
        }
    }
}

private const val BOOT_ROW = 8
