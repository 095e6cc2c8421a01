package threadgauge.report.runs

import kotlinx.html.CommonAttributeGroupFacade
import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.progress
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.drawing
import threadgauge.report.html.markOf
import threadgauge.report.html.markSign
import threadgauge.report.html.minute

/** The page of a run under way in [folder]. `serve.js` keeps it up to date; without it, the page is as of now. */
fun liveHtml(folder: String, document: LiveDocument): String {
    val run = document.progress
    return servedPage(run.experiment, "a run under way", here = "", skipTo = "live") {
        section {
            id = "live"
            attributes["data-version"] = document.version
            if (!document.isOver) attributes["data-following"] = "yes"
            h1 { +run.question }
            p("live-name") {
                span("tag ${document.style}") { id = "live-status"; +document.status }
                +" "
                span("median") { +run.experiment }
                run.savedAs?.let { span("saved") { +it } }
                +" began ${minute(run.startedAt)}"
            }
            div("sentences") { p { id = "live-words"; attributes["role"] = "status"; +document.words } }
            progress {
                id = "live-share"
                attributes["max"] = "1"
                attributes["aria-label"] = "Trials that have ended"
                // Without a value it moves: nobody knows how many trials a run needs that plans itself.
                document.share?.let { attributes["value"] = "$it" }
            }
            ul("now") {
                id = "live-now"
                document.now.forEach { li { +it } }
            }
            p("notice") { id = "live-notice"; hidden(document.notice == null); +document.notice.orEmpty() }
            p("notice") {
                id = "live-lost"
                hidden(true)
                +"Threadgauge does not answer. The figures are the last ones that it sent; the page goes on asking."
            }
            p {
                a(href = RunLinks.report(folder)) {
                    id = "live-report"
                    +(if (document.isOver) "The report" else "The report so far")
                }
            }
            p("asked") {
                +"Medians of the trials so far, and percentiles of all their requests, without intervals and verdicts: "
                +"those need the whole run. Following a run takes some CPU time of this machine at each of its samples."
            }
        }
        if (run.probes.isNotEmpty() || run.cells.isEmpty()) probes(document) else cells(document)
    }
}

private fun FlowContent.cells(document: LiveDocument) {
    val cells = document.progress.cells
    val stacks = cells.map { it.stack }.distinct()
    cells.withIndex().groupBy { it.value.situation }.forEach { (situation, its) ->
        section("live-cells") {
            h2 { +situation }
            table("figures live") {
                caption { +"The curve is the throughput of the latest slices or seconds, from zero upwards." }
                thead {
                    tr {
                        th(scope = ThScope.col) { +"Stack" }
                        LIVE_COLUMNS.forEach { th(scope = ThScope.col, classes = "number") { +it } }
                        th(scope = ThScope.col) { +"latest" }
                    }
                }
                tbody {
                    its.forEach { (index, cell) ->
                        row(index, cell.stack, stacks.indexOf(cell.stack), document.cells[index])
                    }
                }
            }
        }
    }
}

private fun TBODY.row(index: Int, stack: String, colour: Int, cell: LiveCell) = tr {
    val mark = markOf(colour)
    attributes["data-cell"] = "$index"
    th(scope = ThScope.row) { markSign(mark); +stack }
    cell.texts.forEachIndexed { at, text ->
        td("number") {
            attributes["data-label"] = LIVE_COLUMNS[at]
            span("median") { +text }
        }
    }
    td("latest stack-${mark.colour}") {
        drawing(
            "svg", "viewBox" to "0 0 $CURVE_WIDTH $CURVE_HEIGHT", "preserveAspectRatio" to "none",
            "class" to "live-curve", "aria-hidden" to "true",
        ) { drawing("path", "d" to cell.curve) }
        span("newest") { +cell.newest }
    }
}

private fun FlowContent.probes(document: LiveDocument) = section("live-cells") {
    h2 { +"Probes, the newest first" }
    div("scroll") {
        scrollable("Probes")
        table("live-probes") {
            thead { tr { PROBE_COLUMNS.forEach { th(scope = ThScope.col) { +it } } } }
            tbody {
                id = "live-probes"
                document.probes.forEach { texts -> tr { texts.forEach { td { +it } } } }
            }
        }
    }
}

private fun CommonAttributeGroupFacade.hidden(isHidden: Boolean) {
    if (isHidden) attributes["hidden"] = "hidden"
}
