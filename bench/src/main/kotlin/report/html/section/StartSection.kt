package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.Trial
import threadgauge.model.judgement.Figure
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.html.chart.ChartSituation
import threadgauge.report.html.chart.chartFigure
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.figure
import threadgauge.report.html.markSign
import threadgauge.report.regression.title
import threadgauge.wording.endWords

/** How long a stack takes to boot and to warm up. */
internal fun FlowContent.startSection(subject: ReportContext) = section {
    id = "start"
    attributes["aria-labelledby"] = "start-title"
    h2 { id = "start-title"; +"Start and warm-up" }
    bootTable(subject)
    h3 { +"Warm-up" }
    if (subject.record.trials.none { it.warmUp != null }) {
        p {
            +"The warm-up is disabled: the figures above include the time in which the JVM was still compiling code."
        }
        return@section
    }
    p {
        +"A JVM compiles code while it runs, so a server becomes faster. Each process was warmed up in short "
        +"iterations of load until its throughput no longer rose. Throughput in each iteration:"
    }
    warmUpCharts(subject)
    warmUpTable(subject)
    timeToPeakTable(subject)
}

/** A median with minimum and maximum, for figures without an interval. */
internal fun FlowContent.spread(values: List<Double>) {
    if (values.isEmpty()) return figure(null)
    figure(Figure(median(values), values.min(), values.max(), values).takeIf { values.size > 1 }
        ?: Figure(values.single(), values = values))
}

internal fun median(values: List<Double>): Double {
    val sorted = values.sorted()
    val middle = sorted.size / 2
    return if (sorted.size % 2 == 1) sorted[middle] else (sorted[middle - 1] + sorted[middle]) / 2
}

private fun FlowContent.warmUpCharts(subject: ReportContext) = div("charts") {
    val data = subject.charts
    subject.judgement.situations.forEachIndexed { index, judged ->
        val runs = data.situations[index].cells.flatMap { it?.runs.orEmpty() }
        if (runs.all { it.warmSecond.isEmpty() }) return@forEachIndexed
        div("seconds") {
            attributes["data-situation"] = index.toString()
            val description = describeWarmUp(subject, data.situations[index])
            chartFigure("warm", judged.situation.name, "answers/s over seconds of warm-up", description)
        }
    }
}

private fun describeWarmUp(subject: ReportContext, data: ChartSituation): String =
    data.cells.withIndex().mapNotNull { (index, cell) ->
        val answered = cell?.runs?.get(cell.typical)?.warmAnswered?.takeIf { it.isNotEmpty() } ?: return@mapNotNull null
        "${subject.title(subject.stacks[index])}: from ${number(answered.first())} to ${number(answered.last())} " +
            "answers/s."
    }.joinToString(" ")

private fun FlowContent.warmUpTable(subject: ReportContext) = div("scroll") {
    scrollable("How the warm-ups ended")
    table {
        caption { +"How the warm-ups ended; median of the trials, below it minimum and maximum." }
        thead {
            tr {
                th(scope = ThScope.col) { +"Stack" }
                th(scope = ThScope.col) { +"Steady" }
                listOf("Duration, s", "Iterations", "Compiler time, s")
                    .forEach { th(scope = ThScope.col, classes = "number") { +it } }
                th(scope = ThScope.col) { +"Why it ended" }
            }
        }
        tbody { subject.stacks.forEach { stack -> warmUpRow(subject, stack, subject.trials(stack)) } }
    }
}

private fun FlowContent.timeToPeakTable(subject: ReportContext) = div("scroll") {
    val situations = subject.judgement.situations
    if (situations.all { judged -> judged.cells.all { it.timeToPeakMillis == null } }) return@div
    scrollable("Time to peak")
    table {
        caption {
            +"Time to peak: seconds of warm-up until 95 % of the steady throughput, including pauses and other "
            +"situations; below it the 95 % interval."
        }
        thead {
            tr {
                th(scope = ThScope.col) { +"Stack" }
                situations.forEach { th(scope = ThScope.col, classes = "number") { +it.situation.name } }
            }
        }
        tbody {
            subject.stacks.forEachIndexed { index, stack ->
                tr {
                    th(scope = ThScope.row) { markSign(subject.mark(stack)); +subject.title(stack) }
                    situations.forEach { td("number") { figure(it.cells[index].timeToPeakMillis?.inSeconds()) } }
                }
            }
        }
    }
}

private fun Figure.inSeconds() = Figure(value / 1e3, low?.div(1e3), high?.div(1e3), values.map { it / 1e3 })

private fun TBODY.warmUpRow(subject: ReportContext, stack: String, trials: List<Trial>) = tr {
    val warmUps = trials.mapNotNull { it.warmUp }
    // Without access to the JVM, the time of its compiler is unknown.
    val asked = trials.filter { it.idle != null }.mapNotNull { it.warmUp }
    th(scope = ThScope.row) { markSign(subject.mark(stack)); +subject.title(stack) }
    val steady = warmUps.count { it.steady }
    td(if (steady == warmUps.size) null else "warn-text") {
        +if (warmUps.isEmpty()) NOTHING else "$steady of ${warmUps.size}"
    }
    td("number") { spread(warmUps.map { it.millis / 1000 }) }
    td("number") { spread(warmUps.map { it.iterations.size.toDouble() }) }
    td("number") { spread(asked.map { warmUp -> warmUp.iterations.sumOf { it.compileMillis } / 1000 }) }
    td { +warmUps.groupingBy { it.endWords() }.eachCount().entries.joinToString("; ") { (reason, times) ->
        if (times == warmUps.size) reason else "$reason ($times×)"
    } }
}
