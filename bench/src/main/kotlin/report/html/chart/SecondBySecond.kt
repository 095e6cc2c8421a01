package threadgauge.report.html.chart

import kotlinx.html.ButtonType
import kotlinx.html.DIV
import kotlinx.html.FlowContent
import kotlinx.html.ThScope
import kotlinx.html.button
import kotlinx.html.canvas
import kotlinx.html.caption
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.figcaption
import kotlinx.html.figure
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.label
import kotlinx.html.option
import kotlinx.html.select
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.html.figure
import threadgauge.report.html.markSign
import threadgauge.report.html.situationId
import threadgauge.report.regression.title

/** A chart over the seconds of load. [key] identifies it in `report.js`. */
private enum class Chart(val key: String, val title: String, val note: String) {
    RATE("rate", "Sent and answered, per second", "solid: answered; dotted: sent"),
    ACTIVE("active", "Active users", "requests in flight at the end of each second"),
    CPU("cpu", "CPU, in cores", "solid: user and system; dotted: user alone"),
    P50("p50", "p50, in ms", "half of the requests were faster"),
    P90("p90", "p90, in ms", "90 % of the requests were faster"),
    P99("p99", "p99, in ms", "99 % of the requests were faster"),
}

/** Charts over the seconds of the load, and the same figures as tables. */
internal fun FlowContent.secondBySecond(subject: ReportContext, judged: SituationJudgement, situation: Int) {
    val data = subject.charts.situations[situation]
    if (data.cells.all { it == null }) return
    h3 { +"Second by second" }
    div("seconds") {
        attributes["data-situation"] = situation.toString()
        chartControls(subject, data, situation)
        div("charts") {
            Chart.entries.forEach { chart ->
                chartFigure(chart.key, chart.title, chart.note, describe(subject, data, chart))
            }
        }
        details("tables") {
            summary { +"Tables" }
            data.cells.forEachIndexed { stack, cell ->
                if (cell != null) secondsTable(subject.title(subject.stacks[stack]), cell, stack)
            }
        }
    }
}

private fun FlowContent.chartControls(subject: ReportContext, data: ChartSituation, situation: Int) = div("controls") {
    div("legend") {
        attributes["role"] = "group"
        attributes["aria-label"] = "Stacks to show"
        subject.stacks.forEachIndexed { index, stack ->
            if (data.cells[index] != null) button(type = ButtonType.button, classes = "key") {
                attributes["aria-pressed"] = "true"
                attributes["data-stack"] = index.toString()
                markSign(subject.mark(stack))
                +subject.title(stack)
            }
        }
    }
    div("choices") { chartChoices(data, situation) }
}

private fun FlowContent.chartChoices(data: ChartSituation, situation: Int) {
    button(type = ButtonType.button, classes = "scale-switch") {
        attributes["aria-pressed"] = "false"
        +"Logarithmic"
    }
    val trials = data.cells.filterNotNull().flatMap { cell -> cell.runs.map { it.trial } }.distinct().sorted()
    if (trials.size > 1) {
        val own = "${situationId(situation)}-trial"
        label {
            htmlFor = own
            +"Shown"
        }
        select {
            id = own
            option { value = "typical"; +"the trial nearest to the median, for each stack" }
            trials.forEach { option { value = it.toString(); +"trial $it of every stack" } }
        }
    }
}

internal fun FlowContent.chartFigure(key: String, title: String, note: String, description: String) = figure("chart") {
    figcaption { span("chart-title") { +title }; span("chart-note") { +note } }
    div("canvas") {
        canvas {
            attributes["data-chart"] = key
            attributes["role"] = "img"
            attributes["aria-label"] = "$title. $description"
        }
    }
}

/** Text alternative of a chart: a sentence for each stack. */
private fun describe(subject: ReportContext, data: ChartSituation, chart: Chart): String =
    data.cells.withIndex().mapNotNull { (index, cell) ->
        val run = cell?.runs?.get(cell.typical) ?: return@mapNotNull null
        val values = when (chart) {
            Chart.RATE -> run.answered.map { it.toDouble() }
            Chart.ACTIVE -> run.active.map { it.toDouble() }
            Chart.CPU -> run.cpuTotal
            Chart.P50 -> run.p50.filterNotNull()
            Chart.P90 -> run.p90.filterNotNull()
            Chart.P99 -> run.p99.filterNotNull()
        }
        val title = subject.title(subject.stacks[index])
        if (values.isEmpty()) "$title: no values." else
            "$title: between ${number(values.min())} and ${number(values.max())}, at the end ${number(values.last())}."
    }.joinToString(" ")

/** `report.js` replaces the body when another trial is chosen, and relies on the order of the columns. */
private fun FlowContent.secondsTable(title: String, cell: ChartCell, stack: Int) = div("scroll") {
    val run = cell.runs[cell.typical]
    scrollable("$title, second by second")
    table("dense") {
        attributes["data-table"] = stack.toString()
        caption { +"$title, "; span("shown-trial") { +"trial ${run.trial}" } }
        thead {
            tr {
                listOf(
                    "Second",
                    "Sent",
                    "Answered",
                    "Failed",
                    "Active",
                    "p50 ms",
                    "p90 ms",
                    "p99 ms",
                    "CPU user",
                    "CPU total",
                )
                    .forEach { th(scope = ThScope.col, classes = "number") { +it } }
            }
        }
        tbody {
            run.second.indices.forEach { row ->
                val process = run.cpuSecond.indexOfFirst { it.toInt() == run.second[row] }
                tr {
                    th(scope = ThScope.row, classes = "number") { +run.second[row].toString() }
                    listOf(run.sent, run.answered, run.failed).forEach { td("number") { +number(it[row]) } }
                    td("number") { +number(run.active[row]) }
                    listOf(run.p50, run.p90, run.p99).forEach { td("number") { +(it[row]?.let(::number) ?: NOTHING) } }
                    listOf(run.cpuUser, run.cpuTotal).forEach { cpu ->
                        td("number") { +(cpu.getOrNull(process)?.let { number(it, 2) } ?: NOTHING) }
                    }
                }
            }
        }
    }
}

/** Wide content scrolls in a box of its own, which can be focused with the keyboard. */
internal fun DIV.scrollable(name: String) {
    attributes["tabindex"] = "0"
    attributes["role"] = "region"
    attributes["aria-label"] = name
}
