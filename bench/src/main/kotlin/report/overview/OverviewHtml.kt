package threadgauge.report.overview

import java.time.Duration
import java.time.Instant
import java.time.format.DateTimeParseException
import kotlinx.html.BODY
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.article
import kotlinx.html.body
import kotlinx.html.div
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.h4
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.id
import kotlinx.html.lang
import kotlinx.html.main
import kotlinx.html.p
import kotlinx.html.script
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.stream.appendHTML
import kotlinx.html.strong
import kotlinx.html.unsafe
import threadgauge.model.Record
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimOverRuns
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.ReportContext
import threadgauge.report.format.count
import threadgauge.report.format.number
import threadgauge.report.format.unbroken
import threadgauge.report.html.claim.DRAWINGS
import threadgauge.report.html.claim.claimId
import threadgauge.report.html.claim.claimPlot
import threadgauge.report.html.claim.claimTag
import threadgauge.report.html.claim.inWords
import threadgauge.report.html.documentHead
import threadgauge.report.html.resource
import threadgauge.report.html.stateNotice
import threadgauge.report.html.topBar
import threadgauge.wording.goal.summary
import threadgauge.wording.verdict.answer

/** One of several runs on an overview page. [report] is the relative link to its own report. */
class OverviewRun(val record: Record, val judgement: Judgement, val report: String)

/**
 * One page over several runs: the verdict on each claim, then the answer of each run, with links to the reports of the
 * runs. Escaped and self-contained as [htmlReport]. [runs] must not be empty; [claims] are all of theirs.
 */
fun overviewHtml(runs: List<OverviewRun>, claims: List<ClaimOverRuns>): String = buildString {
    require(runs.isNotEmpty()) { "an overview needs at least one run" }
    append("<!DOCTYPE html>\n")
    appendHTML(prettyPrint = false, xhtmlCompatible = true).html {
        lang = "en"
        head { documentHead("${runs.size} runs") }
        body { page(runs, claims) }
    }
    append('\n')
}

private fun BODY.page(runs: List<OverviewRun>, claims: List<ClaimOverRuns>) {
    val subject = ReportContext(runs.first().record, runs.first().judgement)
    val contents = listOfNotNull(
        ("claims" to "Claims").takeIf { claims.isNotEmpty() },
        ("decision" to "Which fits where").takeIf { runs.any { it.models.size > 1 } },
        "runs" to "Runs",
    )
    header("top") { topBar(subject, contents) }
    main {
        section("answer") {
            id = "answer"
            h1 { +count(runs.size, "run") }
            together(runs)?.let { p("asked") { +it } }
            overviewClaims(runs, claims)
            modelTable(runs)
            h2 { id = "runs"; +"Answers of the runs" }
            runs.forEach { answer(it) }
        }
    }
    footer { p { +"This page was made from the records alone and loads nothing from a network." } }
    script { unsafe { raw(resource("/threadgauge/report/report.js")) } }
}

/** The total duration of the runs, without the time between them; null where a run has no readable end. */
private fun together(runs: List<OverviewRun>): String? {
    val minutes = runs.map { minutes(it.record) ?: return null }.sum()
    val cores = count(runs.first().record.environment.cores, "core")
    return "Measured in ${number(minutes)}${NARROW_SPACE}min together, on $cores."
}

private fun minutes(record: Record): Double? = try {
    record.endedAt?.let { Duration.between(Instant.parse(record.startedAt), Instant.parse(it)).toSeconds() / 60.0 }
} catch (_: DateTimeParseException) {
    null
}

private fun FlowContent.drawn(run: OverviewRun, judged: ClaimJudgement) = article("claim") {
    h4 { a(href = "${run.report}#${claimId(judged)}") { +"“${judged.claim.says}”" } }
    div { claimTag(judged.verdict) }
    judged.claim.why?.let { p { strong { +"Why. " }; +unbroken(it) } }
    claimPlot(ReportContext(run.record, run.judgement), judged)
}

private fun FlowContent.answer(run: OverviewRun) {
    h3 { a(href = run.report) { +run.judgement.question } }
    stateNotice(run.record)?.let { (title, words) -> p("notice") { strong { +title }; +" $words" } }
    run.judgement.source?.let { p("asked") { +"Claimed by: ${unbroken(it.inWords())}" } }
    run.judgement.answer.forEach { p { +unbroken(it) } }
    val goals = run.judgement.goals
    if (goals.isNotEmpty()) p { a(href = "${run.report}#goals") { +"Goals" }; +": ${goals.summary()}." }
    p("asked") {
        +"Measured from ${run.record.startedAt} to ${run.record.endedAt ?: "now"}, record "
        span("code") { +run.record.id }
        +"."
    }
    if (run.judgement.claims.isNotEmpty()) p { +DRAWINGS }
    run.judgement.claims.forEach { drawn(run, it) }
}
