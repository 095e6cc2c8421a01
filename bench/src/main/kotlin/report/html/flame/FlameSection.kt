package threadgauge.report.html.flame

import kotlinx.html.ButtonType
import kotlinx.html.DETAILS
import kotlinx.html.FlowContent
import kotlinx.html.InputType
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.button
import kotlinx.html.caption
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.h4
import kotlinx.html.input
import kotlinx.html.label
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.cause.FlameGraph
import threadgauge.model.judgement.cause.FlameTop
import threadgauge.model.judgement.cause.FrameKind
import threadgauge.model.profile.FlameKind
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.percent
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.wording.cause.label
import threadgauge.wording.cause.legend
import threadgauge.wording.cause.note
import threadgauge.wording.cause.place
import threadgauge.wording.cause.title

/** The flame graphs of each stack, folded. Nothing where there are none. */
internal fun FlowContent.flameSection(subject: ReportContext, judged: SituationJudgement) {
    val cells = judged.cells.map { it to subject.flames.of(judged.situation.name, it.stack) }
        .filter { (_, graphs) -> graphs.isNotEmpty() }
    if (cells.isEmpty()) return
    details {
        summary { +"Flame graphs" }
        flameHelp(isDifference = false)
        cells.forEach { (cell, graphs) ->
            h4 { markSign(subject.mark(cell.stack)); +cell.title }
            graphs.forEach { flameGraph(it, subject.flames.indexOf(it), cell.title) }
        }
    }
}

/** What the colours mean, and how to move about. */
internal fun FlowContent.flameHelp(isDifference: Boolean) {
    p("note") {
        +"What a method calls is below it, and its width is its share. "
        +"A click or the Enter key zooms, Escape shows the whole graph, the arrow keys go from frame to frame."
    }
    p("note flame-legend") {
        if (isDifference) {
            span("flame-key grew-3") { +"more than in the base" }
            span("flame-key shrank-3") { +"less" }
        } else {
            FrameKind.entries.filter { it.legend != null }.forEach { kind ->
                span("flame-key frame-${kind.name.lowercase()}") { +checkNotNull(kind.legend) }
            }
        }
    }
}

/** One graph, drawn when it is opened, and a table of its largest methods. */
internal fun FlowContent.flameGraph(graph: FlameGraph, index: Int, title: String) = details("flames") {
    summary { +graph.title() }
    p("note") { +unbroken(graph.note()) }
    div("flame-tools") {
        label {
            +"Search "
            input(InputType.search, classes = "flame-search") { attributes["autocomplete"] = "off" }
        }
        button(type = ButtonType.button, classes = "flame-whole") { +"Whole graph" }
        span("flame-found") { attributes["role"] = "status" }
    }
    div("flame") {
        attributes["data-flame"] = "$index"
        attributes["role"] = "tree"
        attributes["aria-label"] = "${graph.title()}, $title"
    }
    p("flame-detail") { attributes["aria-hidden"] = "true" }
    topsTable(graph, title)
}

private fun DETAILS.topsTable(graph: FlameGraph, title: String) = div("scroll") {
    scrollable("Largest methods, ${graph.kind.label}, $title")
    table("parts") {
        caption { +"Methods with the most of it themselves, without what they call." }
        thead {
            tr {
                th(scope = ThScope.col) { +"Method" }
                if (graph.isDifference) th(scope = ThScope.col, classes = "number") { +"Base" }
                th(scope = ThScope.col, classes = "number") { +graph.kind.unit }
                th(scope = ThScope.col, classes = "number") { +"Share" }
                th(scope = ThScope.col) { +"Place" }
            }
        }
        val whole = graph.roots.sumOf { it.value }
        tbody { graph.tops.forEach { topRow(it, whole, graph.isDifference) } }
    }
}

private fun TBODY.topRow(top: FlameTop, whole: Double, isDifference: Boolean) = tr {
    th(scope = ThScope.row, classes = "code") { +top.frame.label }
    if (isDifference) td("number") { +number(top.base) }
    td("number") { +number(top.value) }
    td("number") { +(if (whole > 0) percent(top.value / whole) else NOTHING) }
    td("code") { +(top.frame.place ?: NOTHING) }
}

/** The unit of a value of this kind. */
internal val FlameKind.unit: String
    get() = if (this == FlameKind.ALLOCATION) "bytes per request" else "µs per request"
