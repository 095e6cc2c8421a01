package threadgauge.report.history

import kotlinx.html.BODY
import kotlinx.html.FlowContent
import kotlinx.html.Tag
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.id
import kotlinx.html.lang
import kotlinx.html.li
import kotlinx.html.main
import kotlinx.html.p
import kotlinx.html.script
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.stream.appendHTML
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import kotlinx.html.unsafe
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.History
import threadgauge.model.judgement.compare.HistoryPoint
import threadgauge.model.judgement.compare.HistorySeries
import threadgauge.report.format.NOTHING
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.format.plainPercent
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.upright
import threadgauge.report.html.documentHead
import threadgauge.report.html.drawing
import threadgauge.report.html.resource
import threadgauge.report.html.topBar
import threadgauge.wording.figureAndUnit
import threadgauge.wording.history.cell
import threadgauge.wording.history.inShort
import threadgauge.wording.history.label
import threadgauge.wording.history.words

/**
 * The history as one page: the changes in words, each figure drawn over the runs, and all values in tables. [reports]
 * are links to the reports of the runs, by their names; a run without one has no link. [home] is a link to a list of
 * all runs; null where there is none. Escaped, self-contained and offline.
 */
fun historyHtml(history: History, reports: Map<String, String>, home: String? = null): String = buildString {
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head { documentHead("History of ${history.experiment}") }
        body { page(history, reports, home) }
    }
    append('\n')
}

private fun BODY.page(history: History, reports: Map<String, String>, home: String?) {
    val cells = history.series.groupBy { it.cell }.entries.toList()
    val contents = cells.mapIndexed { index, (cell, _) -> "cell-$index" to cell }
    header("top") {
        topBar(count(history.runs.size, "run"), contents.take(MOST_LINKS) + ("runs" to "Runs"))
        home?.let { a(href = it) { +"All runs" } }
    }
    main {
        section("answer") {
            id = "answer"
            h1 { +"How did ${history.experiment} go over its runs?" }
            p("verdict") { +unbroken(history.words()) }
            changes(history)
            others(history)
            p("note") {
                +"A change is a new level that is told from the noise between runs, and differs by at least "
                +"${plainPercent(history.margin)}. Of twenty histories in which nothing changes, at most one shows a "
                +"change. Bars are the intervals within a run; dots without colour are doubtful."
            }
        }
        cells.forEachIndexed { index, (cell, series) ->
            section {
                id = "cell-$index"
                h2 { +cell }
                series.forEach { figure(history, it) }
                times(history)
                values(history, series)
            }
        }
        runs(history, reports)
    }
    footer { p { +"This page was made from the records alone and loads nothing from a network." } }
    script { unsafe { raw(resource("/threadgauge/report/report.js")) } }
}

private fun FlowContent.changes(history: History) {
    val changes = history.series.flatMap { series -> series.changes.map { series to it } }
    if (changes.isEmpty()) return
    ul {
        changes.sortedBy { it.second.isBetter }.forEach { (series, change) ->
            li {
                +unbroken(history.words(series, change))
                change.events.forEach { +" ${it.words(history.runs[it.at].label)}" }
            }
        }
    }
}

private fun FlowContent.others(history: History) {
    val said = history.series.flatMap { its -> its.changes.flatMap { it.events } }.toSet()
    val odd = history.series.flatMap { its -> its.odd.map { history.words(its, it) } }
    val words = odd + (history.events - said).map { it.words(history.runs[it.at].label) } +
        history.leftOut.map { "Left out: ${it.words()}" }
    if (words.isNotEmpty()) ul("warn") { words.forEach { li { +it } } }
}

private fun FlowContent.figure(history: History, series: HistorySeries) {
    val change = series.changes.lastOrNull()
    div("plot-row history") {
        div("plot-name") { +series.of.figureAndUnit }
        div("plot-strip") { curve(history, series) }
        div("plot-value") {
            p {
                span("median") { +(series.points.last()?.let { number(it.value) } ?: NOTHING) }
                +" "
                span("interval") { +"newest" }
            }
            p { +unbroken(change?.inShort() ?: "no change") }
        }
    }
}

/** When the first and the newest run began, below their places. */
private fun FlowContent.times(history: History) = div("plot-row plot-axis history-times") {
    div("plot-name")
    div("plot-strip") {
        listOf(history.runs.first(), history.runs.last()).distinct().forEach {
            span { +it.startedAt.take(TO_MINUTES).replace('T', ' ') }
        }
    }
    div("plot-value")
}

/** All values on a logarithmic scale, so that equal ratios are equally high. */
private fun Tag.curve(history: History, series: HistorySeries) {
    val values = series.points.filterNotNull().flatMap { listOfNotNull(it.value, it.low, it.high) }.filter { it > 0 }
    if (values.isEmpty()) return
    val scale = HistoryScale(values.min(), values.max(), history.margin, series.points.size)
    val attributes = arrayOf("width" to "100%", "height" to "$HEIGHT", "class" to "strip history-curve")
    drawing("svg", *attributes, "aria-hidden" to "true") {
        scale.ticks.forEach {
            val y = scale.y(it)
            drawing("line", "class" to "grid", "x1" to HistoryScale.LEFT, "x2" to "100%", "y1" to y, "y2" to y)
            drawing("text", "class" to "tick", "x" to "0", "y" to y, "dy" to "0.35em") { text(number(it)) }
        }
        levels(series).forEach { (from, until, value) ->
            val y = scale.y(value)
            drawing(
                "line", "class" to "level", "x1" to scale.x(from - 0.4), "x2" to scale.x(until - 0.6), "y1" to y,
                "y2" to y,
            )
        }
        series.changes.forEach {
            upright(if (it.isBetter) "change better" else "change worse", scale.x(it.at - 0.5), 0, HEIGHT)
        }
        series.points.forEachIndexed { at, point ->
            if (point != null && point.value > 0) dot(scale, at, point, history.runs[at].label)
        }
    }
}

private fun Tag.dot(scale: HistoryScale, at: Int, point: HistoryPoint, label: String) {
    val x = scale.x(at.toDouble())
    val low = point.low
    val high = point.high
    if (low != null && high != null && low > 0) {
        drawing(
            "line", "class" to "interval", "x1" to x, "x2" to x, "y1" to scale.y(low), "y2" to scale.y(high),
        )
    }
    val style = if (point.validity == Validity.VALID) "point" else "doubtful"
    drawing("circle", "class" to style, "cx" to x, "cy" to scale.y(point.value), "r" to "4") {
        drawing("title") { text("$label: ${number(point.value)}") }
    }
}

/** From, until and value of each level; none where nothing changed. */
private fun levels(series: HistorySeries): List<Triple<Int, Int, Double>> {
    val changes = series.changes
    if (changes.isEmpty()) return emptyList()
    val edges = listOf(0) + changes.map { it.at } + series.points.size
    val values = listOf(changes.first().before) + changes.map { it.after }
    return values.mapIndexed { index, value -> Triple(edges[index], edges[index + 1], value) }
}

private fun FlowContent.values(history: History, series: List<HistorySeries>) = details {
    summary { +"All values" }
    div("scroll") {
        table("figures") {
            thead {
                tr {
                    th { +"Run" }
                    series.forEach { th(classes = "number") { +it.of.figureAndUnit } }
                }
            }
            tbody {
                history.runs.forEachIndexed { at, run ->
                    tr {
                        th { +run.label }
                        series.forEach { its ->
                            td("number") { +(its.points[at]?.let { number(it.value) } ?: NOTHING) }
                        }
                    }
                }
            }
        }
    }
}

private fun FlowContent.runs(history: History, reports: Map<String, String>) = section {
    id = "runs"
    h2 { +"Runs" }
    ul {
        history.runs.forEach { run ->
            li {
                val link = reports[run.record]
                if (link == null) +run.record else a(href = link) { +run.record }
                run.savedAs?.let { +" ($it)" }
            }
        }
    }
}

private const val HEIGHT = 84

/** Length of a time as `2026-11-26T18:51`. */
private const val TO_MINUTES = 16

/** More anchors do not fit the bar. */
private const val MOST_LINKS = 6
