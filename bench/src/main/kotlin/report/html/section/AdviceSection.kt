package threadgauge.report.html.section

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import threadgauge.model.judgement.advice.Advice
import threadgauge.model.judgement.advice.AdvisedChange
import threadgauge.model.judgement.advice.ProvenChange
import threadgauge.report.format.ReportContext
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.scrollable
import threadgauge.wording.advice.equation
import threadgauge.wording.advice.expectation
import threadgauge.wording.advice.heading
import threadgauge.wording.advice.how
import threadgauge.wording.advice.measuredWords
import threadgauge.wording.advice.predictedWords
import threadgauge.wording.advice.summary
import threadgauge.wording.advice.verdictWords
import threadgauge.wording.advice.words

/** Advice with its predictions, and those that were proven. Nothing where the run does not ask for it. */
internal fun FlowContent.adviceSection(subject: ReportContext) {
    val asked = subject.record.plan.advice ?: return
    val judgement = subject.judgement
    h2 { id = "advice"; +"Advice" }
    if (judgement.advice.isEmpty() && asked.proofs.isEmpty()) {
        p { +"There is no advice: without a profile of the service, nothing is known of its limits." }
    }
    judgement.advice.forEach { advice(it, subject) }
    proofs(judgement.proofs)
}

private fun FlowContent.advice(advice: Advice, subject: ReportContext) {
    val judged = subject.judgement.situations.first { it.situation.name == advice.situation }
    h3 { +"Requests that ${judged.situation.words}" }
    p { +unbroken(advice.words()) }
    if (advice.limits.isNotEmpty()) {
        p { +"All limits that are known, the lowest first:" }
        ul { advice.limits.forEach { li { +unbroken(it.equation()) } } }
    }
    if (advice.changes.isEmpty()) {
        p { +"No change of the catalogue is for this service." }
        return
    }
    div("scroll") {
        scrollable("Changes")
        table("claim-figures") {
            caption { +"Changes that exist for this service, those that gain most first." }
            thead { tr { HEADINGS.forEach { th(scope = ThScope.col) { +it } } } }
            tbody { advice.changes.forEach { change(it) } }
        }
    }
}

private fun TBODY.change(advised: AdvisedChange) = tr {
    th(scope = ThScope.row) {
        +unbroken(advised.heading())
        val source = advised.change.source
        // A record may come from a stranger, and a link may be a script.
        if (WEB.any(source::startsWith)) a(href = source, classes = "evidence") { +"documentation" }
    }
    td("code") { +advised.how() }
    td {
        +unbroken(sentence(advised.expectation()))
        advised.change.note?.let { p("note") { +it } }
    }
}

private fun FlowContent.proofs(proofs: List<ProvenChange>) {
    if (proofs.isEmpty()) return
    h3 { +"Predicted beside measured" }
    p { +unbroken(proofs.summary()) }
    div("scroll") {
        scrollable("Predictions and measurements")
        table("claim-figures") {
            caption { +"Answers per second with the change, and how many times as many as without it." }
            thead { tr { PROOF_HEADINGS.forEach { th(scope = ThScope.col) { +it } } } }
            tbody {
                proofs.forEach {
                    tr {
                        th(scope = ThScope.row) { +it.title; span("code") { +" ${it.proof.setting}" } }
                        td { +unbroken(it.predictedWords()) }
                        td { +unbroken(it.measuredWords()) }
                        td { +it.verdictWords() }
                    }
                }
            }
        }
    }
}

private val WEB = listOf("https://", "http://")
private val HEADINGS = listOf("Change", "What to do", "What to expect")
private val PROOF_HEADINGS = listOf("Change", "Predicted", "Measured", "Within 20 %")
