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
import threadgauge.model.Repeat
import threadgauge.model.RepeatState
import threadgauge.model.Sample
import threadgauge.report.format.NOTHING
import threadgauge.report.format.RAW
import threadgauge.report.format.Subject
import threadgauge.report.format.millis
import threadgauge.report.format.number
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.claim.of
import threadgauge.report.html.markSign
import threadgauge.report.regression.title

/** Every repeat as it was measured, so that each figure above can be traced to the processes it came from. */
internal fun FlowContent.repeatsSection(subject: Subject) = section {
    id = "repeats"
    attributes["aria-labelledby"] = "repeats-title"
    h2 { id = "repeats-title"; +"Every repeat" }
    p { +"What each process did, before any statistics. Files lie in the record's folder, ${subject.record.id}." }
    if (subject.record.repeats.isEmpty()) return@section p { +"No process was started." }
    processTable(subject)
    subject.judgement.situations.forEachIndexed { index, judged ->
        details {
            id = "repeats-${index + 1}"
            summary { +"Raw values: requests that ${judged.situation.words}" }
            rawTables(subject, judged.situation.name)
        }
    }
}

private fun FlowContent.processTable(subject: Subject) = div("scroll") {
    scrollable("Processes")
    table("dense") {
        caption { +"The processes, stack by stack" }
        thead {
            tr {
                th(scope = ThScope.col) { +"Stack" }
                th(scope = ThScope.col, classes = "number") { +"Repeat" }
                th(scope = ThScope.col) { +"State" }
                th(scope = ThScope.col, classes = "number") { +"First answer" }
                th(scope = ThScope.col, classes = "number") { +"Warm-up" }
                th(scope = ThScope.col) { +"Steady" }
                th(scope = ThScope.col) { +"Log" }
            }
        }
        tbody { subject.stacks.forEach { stack -> subject.repeats(stack).forEach { processRow(subject, it) } } }
    }
}

private fun TBODY.processRow(subject: Subject, repeat: Repeat) = tr {
    th(scope = ThScope.row) { markSign(subject.mark(repeat.stack)); +subject.title(repeat.stack) }
    td("number") { +number(repeat.number) }
    td(if (repeat.state == RepeatState.MEASURED) null else "warn-text") {
        +repeat.state.name.lowercase()
        repeat.stateReason?.let { +": $it" }
    }
    td("number") { +(repeat.boot?.let { millis(it.firstAnswerMillis) } ?: NOTHING) }
    td("number") { +(repeat.warmUp?.let { millis(it.millis) } ?: NOTHING) }
    when (repeat.warmUp?.steady) {
        true -> td { +"yes" }
        false -> td("warn-text") { +"not steady" }
        null -> td { +NOTHING }
    }
    td("code") { +repeat.log }
}

/** A table for each stack with a column for each repeat: it fits a phone and a sheet of paper. */
private fun FlowContent.rawTables(subject: Subject, situation: String) = div("raw") {
    subject.stacks.forEach { stack ->
        val samples = subject.samples(stack, situation)
        if (samples.isNotEmpty()) rawTable(subject, stack, samples)
    }
}

private fun FlowContent.rawTable(subject: Subject, stack: String, samples: List<Pair<Repeat, Sample>>) = div("scroll") {
    scrollable("Raw values of ${subject.title(stack)}")
    table("dense") {
        caption { markSign(subject.mark(stack)); +subject.title(stack) }
        thead {
            tr {
                th(scope = ThScope.col) { +"Repeat" }
                samples.forEach { (repeat, _) -> th(scope = ThScope.col, classes = "number") { +number(repeat.number) } }
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
