package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.caption
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.Sample
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.report.format.NOTHING
import threadgauge.report.format.RAW
import threadgauge.report.format.ReportContext
import threadgauge.report.format.millis
import threadgauge.report.format.number
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.regression.title
import threadgauge.wording.failure.reason

/** All trials as measured, so that each figure above can be traced to its processes. */
internal fun FlowContent.trialsSection(subject: ReportContext) = section {
    id = "trials"
    attributes["aria-labelledby"] = "trials-title"
    h2 { id = "trials-title"; +"All trials" }
    p { +"Each process, before any statistics. Files are in the folder of the record, ${subject.record.id}." }
    if (subject.record.trials.isEmpty()) return@section p { +"No process was started." }
    processTable(subject)
    subject.judgement.situations.forEachIndexed { index, judged ->
        details {
            id = "trials-${index + 1}"
            summary { +"Raw values: requests that ${judged.situation.words}" }
            rawTables(subject, judged.situation.name)
        }
    }
}

private fun FlowContent.processTable(subject: ReportContext) = div("scroll") {
    scrollable("Processes")
    table("dense") {
        caption { +"Processes by stack" }
        thead {
            tr {
                th(scope = ThScope.col) { +"Stack" }
                th(scope = ThScope.col, classes = "number") { +"Trial" }
                th(scope = ThScope.col) { +"State" }
                th(scope = ThScope.col, classes = "number") { +"First answer" }
                th(scope = ThScope.col, classes = "number") { +"Warm-up" }
                th(scope = ThScope.col) { +"Steady" }
                th(scope = ThScope.col) { +"Log" }
            }
        }
        tbody { subject.stacks.forEach { stack -> subject.trials(stack).forEach { processRow(subject, it) } } }
    }
}

private fun TBODY.processRow(subject: ReportContext, trial: Trial) = tr {
    th(scope = ThScope.row) { markSign(subject.mark(trial.stack)); +subject.title(trial.stack) }
    td("number") { +number(trial.number) }
    td(if (trial.state == TrialState.MEASURED) null else "warn-text") {
        +trial.state.name.lowercase()
        trial.reason()?.let { +": $it" }
    }
    td("number") { +(trial.boot?.let { millis(it.firstAnswerMillis) } ?: NOTHING) }
    td("number") { +(trial.warmUp?.let { millis(it.millis) } ?: NOTHING) }
    when (trial.warmUp?.steady) {
        true -> td { +"yes" }
        false -> td("warn-text") { +"not steady" }
        null -> td { +NOTHING }
    }
    td("code") { +trial.log }
}

/** A table for each stack with a column for each trial, narrow enough for phones and paper. */
private fun FlowContent.rawTables(subject: ReportContext, situation: String) = div("raw") {
    subject.stacks.forEach { stack ->
        val samples = subject.samples(stack, situation)
        if (samples.isNotEmpty()) rawTable(subject, stack, samples)
    }
}

private fun FlowContent.rawTable(subject: ReportContext, stack: String, samples: List<Pair<Trial, Sample>>) =
    div("scroll") {
        scrollable("Raw values of ${subject.title(stack)}")
        table("dense") {
            caption { markSign(subject.mark(stack)); +subject.title(stack) }
            thead {
                tr {
                    th(scope = ThScope.col) { +"Trial" }
                    samples.forEach { (trial, _) ->
                        th(scope = ThScope.col, classes = "number") { +number(trial.number) }
                    }
                }
            }
            tbody {
                RAW.forEach { raw ->
                    tr {
                        th(scope = ThScope.row) { +raw.heading }
                        samples.forEach { (_, sample) -> td("number") { +raw.of(sample) } }
                    }
                }
            }
        }
    }
