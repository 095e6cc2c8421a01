package threadgauge.report.html.cause

import kotlinx.html.FlowContent
import kotlinx.html.FlowOrPhrasingContent
import kotlinx.html.P
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.h4
import kotlinx.html.li
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.cause.Because
import threadgauge.model.judgement.cause.TimeKind
import threadgauge.model.judgement.cause.TimePart
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.millis
import threadgauge.report.format.percent
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.cssPercent
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.drawing
import threadgauge.report.html.markSign
import threadgauge.wording.cause.label
import threadgauge.wording.cause.note
import threadgauge.wording.cause.thing
import threadgauge.wording.cause.wordsWithCaller

/**
 * Where the mean latency of each stack goes: a bar, and below it the parts and the groups of threads as tables. Nothing
 * without profiles.
 */
internal fun FlowContent.causeSection(subject: ReportContext, judged: SituationJudgement) {
    val cells = judged.cells.filter { it.because != null }
    if (cells.isEmpty()) return
    h3 { +"Where the latency goes" }
    ol("plot time-plot") {
        cells.forEach { cell ->
            val because = checkNotNull(cell.because)
            li("plot-row") {
                div("plot-name") { markSign(subject.mark(cell.stack)); span { +cell.title } }
                div("plot-strip") { bar(because) }
                div("plot-value") {
                    p { span("median") { +millis(because.meanMicros / 1e3) }; +" mean" }
                    p("interval") { largestParts(because) }
                }
            }
        }
    }
    details {
        summary { +"The parts of each bar, and the threads" }
        cells.forEach { cell ->
            val because = checkNotNull(cell.because)
            h4 { markSign(subject.mark(cell.stack)); +cell.title }
            p("note") { +unbroken(because.note()) }
            partsTable(cell, because)
            threadGroups(cell, because)
        }
    }
}

/** The key of the bar's largest colors. */
private fun P.largestParts(because: Because) = because.split.take(NAMED).forEach { part ->
    span("part-key") {
        swatch(part.kind)
        +"${part.kind.label} ${percent(part.micros / because.meanMicros)}"
    }
    +" "
}

private fun FlowOrPhrasingContent.swatch(kind: TimeKind) =
    span("swatch ${kind.style}") { attributes["aria-hidden"] = "true" }

/** The parts side by side, as shares of the mean latency. The table has the same in words. */
private fun FlowContent.bar(because: Because) {
    drawing("svg", "width" to "100%", "height" to "28", "class" to "strip", "aria-hidden" to "true") {
        var from = 0.0
        because.split.forEach { part ->
            val share = part.micros / because.meanMicros
            val attributes = arrayOf(
                "class" to part.kind.style, "x" to cssPercent(from), "y" to "5", "width" to cssPercent(share),
                "height" to "18",
            )
            drawing("rect", *attributes) { drawing("title") { +"${part.kind.label}: ${percent(share)}" } }
            from += share
        }
    }
}

private fun FlowContent.partsTable(cell: CellJudgement, because: Because) = div("scroll") {
    scrollable("Parts of the latency of ${cell.title}")
    table("parts") {
        caption { +"Mean time of a request, the largest part first." }
        thead {
            tr {
                th(scope = ThScope.col) { +"Part" }
                th(scope = ThScope.col, classes = "number") { +"Share" }
                th(scope = ThScope.col, classes = "number") { +"Time" }
                th(scope = ThScope.col) { +"For what" }
                th(scope = ThScope.col) { +"Where in the code" }
            }
        }
        tbody { because.split.forEach { partRow(it, because.meanMicros) } }
    }
}

private fun TBODY.partRow(part: TimePart, meanMicros: Double) = tr {
    th(scope = ThScope.row) {
        swatch(part.kind)
        +part.kind.label
    }
    td("number") { +percent(part.micros / meanMicros) }
    td("number") { +millis(part.micros / 1e3) }
    td { +(part.thing ?: NOTHING) }
    td("code") { +(part.place?.wordsWithCaller() ?: NOTHING) }
}

/** The table has all parts. */
private const val NAMED = 3
