package threadgauge.report.knee

import kotlinx.html.FlowContent
import kotlinx.html.MAIN
import kotlinx.html.div
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.strong
import kotlinx.html.ul
import threadgauge.model.Record
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.KneesJudgement
import threadgauge.report.format.ReportContext
import threadgauge.report.format.count
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.doubt
import threadgauge.report.html.jsonData
import threadgauge.report.html.reportPage
import threadgauge.report.html.section.environmentSection
import threadgauge.report.html.section.startSection
import threadgauge.report.html.stateNotice
import threadgauge.report.html.withoutVerdicts
import threadgauge.wording.failure.reason
import threadgauge.wording.knee.comparisonWords
import threadgauge.wording.knee.doubtsOfTargets
import threadgauge.wording.knee.methodWords
import threadgauge.wording.knee.words

/**
 * The report of a search for the knee as one self-contained HTML document. All text of [record] and [judgement] is
 * escaped, because records may come from third parties.
 */
fun kneeHtmlReport(record: Record, judgement: KneesJudgement): String {
    val subject = withoutVerdicts(record)
    val targets = judgement.targets.mapIndexed { index, target ->
        KneeTarget(target, index, isOnlyOne = judgement.targets.size == 1)
    }
    val data: FlowContent.() -> Unit = { jsonData("knee-data", kneeChartJson(judgement)) }
    return reportPage(subject, contents(targets), listOf("knee.js"), data) {
        answer(subject, judgement)
        // What can be compared at a glance stands together.
        targets.forEach { kneeChartSection(it) }
        targets.forEach { kneeLawSection(it) }
        targets.forEach { kneeProbesSection(it) }
        startSection(subject)
        environmentSection(subject)
    }
}

private fun MAIN.answer(subject: ReportContext, judgement: KneesJudgement) = section {
    id = "answer"
    attributes["aria-labelledby"] = "question"
    h1 { id = "question"; +subject.judgement.question }
    stateNotice(subject.record)?.let { (title, words) -> p("notice") { strong { +title }; +" $words" } }
    div("sentences") {
        (judgement.comparisonWords() + judgement.targets.map { it.words() }).forEach { p { +unbroken(it) } }
    }
    judgement.targets.forEach { target -> target.sizing?.let { p { +unbroken(it.words()) } } }
    val doubts = judgement.doubtsOfTargets()
    ul("sureness") {
        attributes["aria-label"] = "Basis of this answer"
        judgement.targets.forEach { target ->
            val whose = if (judgement.targets.size == 1) "" else "${target.target}: "
            val isFound = target.outcome == KneeOutcome.FOUND
            li(if (isFound) "sure" else "warn") { +(whose + sentence(target.outcome.words)) }
        }
        li("sure") { +unbroken(judgement.methodWords()) }
        if (doubts.isNotEmpty()) li("warn") { +"${count(doubts.size, "doubt")}, shown below." }
    }
    if (doubts.isNotEmpty()) {
        h2("quiet") { +"Doubts" }
        ul("doubts") {
            doubts.forEach { (whose, doubt) -> li { doubt(doubt) { if (whose.isNotEmpty()) p { +whose } } } }
        }
    }
    val failed = subject.troubles
    if (failed.isNotEmpty()) {
        h2("quiet") { +"Failed processes" }
        ul("plain troubles") {
            failed.flatten().forEach {
                li {
                    if (judgement.targets.size > 1) +"${subject.title(it.stack)}, "
                    +"Process ${it.number}: ${sentence(it.reason() ?: it.state.name.lowercase())} Log: "
                    span("code") { +it.log }
                }
            }
        }
    }
}

private fun contents(targets: List<KneeTarget>): List<Pair<String, String>> {
    val ofTargets = targets.singleOrNull()
        ?.let { listOf("latency" to "Latency", "law" to "Scalability", "probes" to "All probes") }
        ?: targets.map { it.key("latency") to it.judgement.target }
    return listOf("answer" to "Answer") + ofTargets + listOf("start" to "Start and warm-up", "machine" to "Machine")
}
