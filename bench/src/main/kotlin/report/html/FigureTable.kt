package threadgauge.report.html

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.RunState
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Verdict
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.ReportedFigure
import threadgauge.report.format.percent
import threadgauge.report.format.sentence
import threadgauge.report.format.sureness
import threadgauge.report.format.valueText
import threadgauge.report.html.section.words
import threadgauge.wording.failure.reason

/**
 * A row for each stack and a column for each measure. On a narrow screen each row becomes a card. ARIA roles are
 * explicit, because browsers drop the table semantics when style sheets change the layout.
 */
internal fun FlowContent.figureTable(subject: ReportContext, judged: SituationJudgement) {
    table("figures") {
        attributes["role"] = "table"
        caption {
            +"Median of the trials; percentiles are over the requests of all trials. "
            +"Below it the 95 % interval, or the number of values (n)."
        }
        thead {
            attributes["role"] = "rowgroup"
            tr {
                attributes["role"] = "row"
                th(scope = ThScope.col) { attributes["role"] = "columnheader"; +"Stack" }
                ReportedFigure.entries.forEach { measure ->
                    th(scope = ThScope.col, classes = "number") {
                        attributes["role"] = "columnheader"
                        a(href = "#${measure.anchor}", classes = "word") { +measure.label }
                        span("unit") { +measure.unit }
                    }
                }
            }
        }
        tbody {
            attributes["role"] = "rowgroup"
            judged.cells.forEach { cellRow(subject, judged, it) }
        }
    }
    failedRequests(judged)
}

private fun TBODY.cellRow(subject: ReportContext, judged: SituationJudgement, cell: CellJudgement) =
    tr {
        attributes["role"] = "row"
        th(scope = ThScope.row) {
            attributes["role"] = "rowheader"
            span("stack-title") { markSign(subject.mark(cell.stack)); +cell.title }
            span("stack-note") { +cell.model.words }
            doubtBadge(subject, judged.situation.name, cell)
        }
        if (ReportedFigure.entries.all { it.of(cell) == null }) return@tr notMeasured(subject, cell)
        ReportedFigure.entries.forEach { measure ->
            td("number") {
                attributes["role"] = "cell"
                attributes["data-label"] = "${measure.label}, ${measure.unit}"
                figure(
                    measure.of(cell),
                    strong = measure == ReportedFigure.THROUGHPUT && cell.stack in winners(judged.verdict),
                )
            }
        }
    }

/** A figure is bold only if the verdict names it: the highest median may be highest by chance. */
private fun winners(verdict: Verdict): List<String> = if (verdict is Verdict.Fits) verdict.stacks else emptyList()

private fun TR.notMeasured(subject: ReportContext, cell: CellJudgement) {
    td("missing") {
        attributes["role"] = "cell"
        attributes["colspan"] = ReportedFigure.entries.size.toString()
        +"Not measured. ${whyNotMeasured(subject, cell.stack)}"
    }
}

private fun whyNotMeasured(subject: ReportContext, stack: String): String =
    subject.trials(stack).firstNotNullOfOrNull { it.reason() }?.let(::sentence)
        ?: if (subject.record.state == RunState.COMPLETE) "" else "The run ended early."

/** A median with its interval below it. */
internal fun FlowContent.figure(figure: Figure?, strong: Boolean = false) {
    if (figure == null) {
        span("median none") { +NOTHING; span("unseen") { +" no value" } }
        return
    }
    span(if (strong) "median best" else "median") { +figure.valueText() }
    span("interval") { +figure.sureness() }
}

/** Failures are shown with throughput, because a server that rejects requests can look fast. */
private fun FlowContent.failedRequests(judged: SituationJudgement) {
    val failing =
        judged.cells.filter { (it.errorShare?.value ?: 0.0) > 0.0 || (it.errorShare?.values?.max() ?: 0.0) > 0.0 }
    val known = judged.cells.any { it.errorShare != null }
    when {
        failing.isNotEmpty() -> p("failed-requests") {
            +"Failed requests: "
            +failing.joinToString("; ") { cell ->
                val share = checkNotNull(cell.errorShare)
                "${cell.title} ${percent(share.value)} (worst trial ${percent(share.values.max())})"
            }
            +". Every other stack: none."
        }
        known -> p("failed-requests") { +"Failed requests: none." }
    }
}
