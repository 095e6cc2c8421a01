package threadgauge.report.overview

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.span
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.tr
import threadgauge.model.ConcurrencyModel
import threadgauge.report.format.ReportContext
import threadgauge.report.format.unbroken
import threadgauge.report.html.decided
import threadgauge.report.html.decision
import threadgauge.report.html.decisionSection
import threadgauge.report.html.situationId

/**
 * Which model fits where, over several runs: a row for each situation, a column for each model, and in it the result of
 * each stack of that model, with links to the figures in the reports of the runs. Nothing where no run compares two
 * models.
 */
internal fun FlowContent.modelTable(runs: List<OverviewRun>) {
    val compared = runs.filter { it.models.size > 1 }.ifEmpty { return }
    val models = ConcurrencyModel.entries.filter { model -> compared.any { model in it.models } }
    val columns: TR.() -> Unit =
        { models.forEach { th(scope = ThScope.col) { +it.words.replaceFirstChar(Char::uppercase) } } }
    decisionSection("Which model fits where", "the margin of its run", columns) {
        compared.forEach { tbody { situations(it, models) } }
    }
}

internal val OverviewRun.models: Set<ConcurrencyModel> get() =
    judgement.situations.flatMap { it.cells }.map { it.model }.toSet()

private fun TBODY.situations(run: OverviewRun, models: List<ConcurrencyModel>) {
    val subject = ReportContext(run.record, run.judgement)
    tr {
        th(scope = ThScope.rowGroup, classes = "run") {
            colSpan = "${models.size + 1}"
            a(href = run.report) { +run.judgement.question }
        }
    }
    run.judgement.situations.forEachIndexed { index, judged ->
        tr {
            th(scope = ThScope.row) { decided(judged) }
            models.forEach { model ->
                td {
                    judged.cells.filter { it.model == model }.forEach { cell ->
                        span("by") { +unbroken(subject.title(cell.stack)) }
                        decision(subject, judged, cell.stack, "${run.report}#${situationId(index)}")
                    }
                }
            }
        }
    }
}
