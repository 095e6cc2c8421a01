package threadgauge.report.knee

import kotlinx.html.BODY
import kotlinx.html.FlowContent
import kotlinx.html.MAIN
import kotlinx.html.a
import kotlinx.html.body
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
import kotlinx.html.strong
import kotlinx.html.ul
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.report.format.ReportContext
import threadgauge.report.format.count
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.chartJson
import threadgauge.report.html.chartLibrary
import threadgauge.report.html.closing
import threadgauge.report.html.documentHead
import threadgauge.report.html.doubtList
import threadgauge.report.html.resource
import threadgauge.report.html.section.environmentSection
import threadgauge.report.html.section.startSection
import threadgauge.report.html.stateNotice
import threadgauge.report.html.topBar
import threadgauge.wording.failure.reason
import threadgauge.wording.knee.methodWords
import threadgauge.wording.knee.words

/**
 * The report of a search for the knee as one self-contained HTML document. All text of [record] and [judgement] is
 * escaped, because records may come from third parties.
 */
fun kneeHtmlReport(record: Record, judgement: KneeJudgement): String = buildString {
    val question = record.plan.experiment.question
    val subject = ReportContext(record, Judgement(record.id, question, record.state, indicative = false, emptyList()))
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head { documentHead(subject) }
        body { page(subject, judgement) }
    }
    append('\n')
}

private fun BODY.page(subject: ReportContext, judgement: KneeJudgement) {
    a(href = "#answer", classes = "skip") { +"Skip to the answer" }
    header("top") { topBar(subject, KNEE_CONTENTS) }
    main {
        answer(subject, judgement)
        kneeChartSection(judgement)
        kneeProbesSection(judgement)
        kneeLawSection(judgement)
        startSection(subject)
        environmentSection(subject)
    }
    footer { closing(subject) }
    jsonScript("chart-data", chartJson(subject))
    jsonScript("knee-data", kneeChartJson(judgement))
    script { unsafe { raw(chartLibrary) } }
    script { unsafe { raw(resource("/threadgauge/report/report.js")) } }
    script { unsafe { raw(resource("/threadgauge/report/knee.js")) } }
}

private fun FlowContent.jsonScript(name: String, json: String) = script(type = "application/json") {
    attributes["id"] = name
    unsafe { raw(json) }
}

private fun MAIN.answer(subject: ReportContext, judgement: KneeJudgement) = section {
    id = "answer"
    attributes["aria-labelledby"] = "question"
    h1 { id = "question"; +subject.judgement.question }
    stateNotice(subject.record)?.let { (title, words) -> p("notice") { strong { +title }; +" $words" } }
    div("sentences") { p { +unbroken(judgement.words()) } }
    judgement.sizing?.let { p { +unbroken(it.words()) } }
    ul("sureness") {
        attributes["aria-label"] = "Basis of this answer"
        li(if (judgement.outcome == KneeOutcome.FOUND) "sure" else "warn") { +sentence(judgement.outcome.words) }
        li("sure") { +unbroken(judgement.methodWords()) }
        if (judgement.doubts.isNotEmpty()) li("warn") { +"${count(judgement.doubts.size, "doubt")}, shown below." }
    }
    if (judgement.doubts.isNotEmpty()) {
        h2("quiet") { +"Doubts" }
        doubtList(judgement.doubts)
    }
    val failed = subject.troubles
    if (failed.isNotEmpty()) {
        h2("quiet") { +"Failed processes" }
        ul("plain troubles") {
            failed.flatten().forEach {
                li {
                    +"Process ${it.number}: ${sentence(it.reason() ?: it.state.name.lowercase())} Log: "
                    span("code") { +it.log }
                }
            }
        }
    }
}

private val KNEE_CONTENTS = listOf(
    "answer" to "Answer",
    "latency" to "Latency",
    "probes" to "All probes",
    "law" to "Scalability",
    "start" to "Start and warm-up",
    "machine" to "Machine",
)
