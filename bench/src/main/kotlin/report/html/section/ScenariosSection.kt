package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.TD
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.ScenarioJudgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.sureness
import threadgauge.report.format.valueText
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.wording.scenario.passesWords

/** What the users of each scenario met, step by step. Nothing in a situation without scenarios. */
internal fun FlowContent.scenariosSection(subject: ReportContext, judged: SituationJudgement) {
    val cells = judged.cells.filter { it.scenarios.isNotEmpty() }
    if (cells.isEmpty()) return
    h3 { +"Steps" }
    cells.first().scenarios.map { it.name }.forEach { name ->
        div("scroll") {
            scrollable("Steps of $name")
            table("figures") {
                caption { +"$name: latency from the intended time, in milliseconds; failed requests in all trials." }
                thead {
                    tr {
                        th(scope = ThScope.col) { +"Step and server" }
                        HEADINGS.forEach { th(scope = ThScope.col, classes = "number") { +it } }
                    }
                }
                tbody { rows(subject, cells.map { cell -> cell to cell.scenarios.first { it.name == name } }) }
            }
        }
    }
}

/** The servers side by side in each step, because that is what is compared. */
private fun TBODY.rows(subject: ReportContext, cells: List<Pair<CellJudgement, ScenarioJudgement>>) {
    cells.first().second.steps.indices.forEach { at ->
        cells.forEach { (cell, scenario) ->
            val step = scenario.steps[at]
            val times = listOf(step.p50Millis, step.p95Millis, step.p99Millis)
            row(subject, cell, step.name, "", step.answered, step.failed, times)
        }
    }
    cells.forEach { (cell, scenario) ->
        val times = listOf(scenario.durationP50Millis, scenario.durationP95Millis, null)
        row(subject, cell, "whole pass", scenario.passesWords(), scenario.completed, scenario.failed, times)
    }
}

private fun TBODY.row(
    subject: ReportContext,
    cell: CellJudgement,
    name: String,
    note: String,
    correct: Long,
    failed: Long,
    times: List<Figure?>,
) = tr {
    th(scope = ThScope.row) {
        span("stack-title") { markSign(subject.mark(cell.stack)); +name }
        span("stack-note") { +subject.title(cell.stack) }
        if (note.isNotEmpty()) span("stack-note") { +note }
    }
    labelled(0) { +number(correct) }
    labelled(1) { +number(failed) }
    times.forEachIndexed { at, time -> labelled(2 + at) { figure(time) } }
}

/** On narrow screens the heading stands before its value. */
private fun TR.labelled(column: Int, value: TD.() -> Unit) = td("number") {
    attributes["data-label"] = HEADINGS[column]
    value()
}

private fun FlowContent.figure(figure: Figure?) {
    span("median") { +(figure?.valueText() ?: NOTHING) }
    figure?.let { span("interval") { +it.sureness() } }
}

private val HEADINGS = listOf("Correct", "Failed", "p50", "p95", "p99")
