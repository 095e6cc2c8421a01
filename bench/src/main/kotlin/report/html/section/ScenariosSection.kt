package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
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
                thead { tr { HEADINGS.forEach { th(scope = ThScope.col) { +it } } } }
                tbody { cells.forEach { cell -> rows(subject, cell, cell.scenarios.first { it.name == name }) } }
            }
        }
    }
}

private fun TBODY.rows(subject: ReportContext, cell: CellJudgement, scenario: ScenarioJudgement) {
    scenario.steps.forEach { step ->
        tr {
            th(scope = ThScope.row) {
                markSign(subject.mark(cell.stack))
                +"${subject.title(cell.stack)}: ${step.name}"
            }
            td("number") { +number(step.answered) }
            td("number") { +number(step.failed) }
            listOf(step.p50Millis, step.p95Millis, step.p99Millis).forEach { td("number") { figure(it) } }
        }
    }
    tr {
        th(scope = ThScope.row) {
            markSign(subject.mark(cell.stack))
            +"${subject.title(cell.stack)}: whole pass. ${scenario.passesWords()}"
        }
        td("number") { +number(scenario.completed) }
        td("number") { +number(scenario.failed) }
        listOf(scenario.durationP50Millis, scenario.durationP95Millis, null).forEach { td("number") { figure(it) } }
    }
}

private fun FlowContent.figure(figure: Figure?) {
    span("median") { +(figure?.valueText() ?: NOTHING) }
    figure?.let { span("interval") { +it.sureness() } }
}

private val HEADINGS = listOf("Server and step", "Correct", "Failed", "p50", "p95", "p99")
