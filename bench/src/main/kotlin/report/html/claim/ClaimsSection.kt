package threadgauge.report.html.claim

import kotlinx.html.FlowContent
import kotlinx.html.TABLE
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.article
import kotlinx.html.caption
import kotlinx.html.dd
import kotlinx.html.details
import kotlinx.html.dfn
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.dt
import kotlinx.html.h2
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.p
import kotlinx.html.span
import kotlinx.html.strong
import kotlinx.html.summary
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimEvidence
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.markSign
import threadgauge.report.html.prose
import threadgauge.report.html.situationId
import threadgauge.report.html.validityWord
import threadgauge.wording.claim.conditions
import threadgauge.wording.claim.intervalWords
import threadgauge.wording.claim.meaning
import threadgauge.wording.claim.outcomeWords
import threadgauge.wording.claim.text
import threadgauge.wording.claim.words

/** The verdict on each claim and its figures. Nothing where the experiment has no claims. */
internal fun FlowContent.claims(subject: ReportContext) {
    val claims = subject.judgement.claims.ifEmpty { return }
    h2 { id = "claims"; +"Claims" }
    subject.judgement.source?.let { p("asked") { +"Claimed by: ${unbroken(it.inWords())}" } }
    p {
        strong { +"As published" }; +" repeats the test of the post. "; strong { +"Tested fairly" }
        +" gives all servers the same conditions, and decides the verdict. "
        +"Below each measured figure is its interval, which contains the true value with 95${NARROW_SPACE}% "
        +"confidence. "
        +DRAWINGS
    }
    claims.forEach { claim(subject, it) }
    details {
        summary { +"Meaning of the verdicts" }
        dl("words") {
            ClaimVerdict.entries.forEach { verdict -> dt { dfn { +verdict.words } }; dd { +verdict.meaning } }
        }
    }
}

internal fun claimId(claim: ClaimJudgement) = "claim-${claim.claim.name}"

private fun FlowContent.claim(subject: ReportContext, judged: ClaimJudgement) = article("claim") {
    id = claimId(judged)
    attributes["aria-labelledby"] = "${claimId(judged)}-title"
    h3 { id = "${claimId(judged)}-title"; +"“${judged.claim.says}”" }
    div("verdict") {
        claimTag(judged.verdict)
        p { prose(judged.words()) }
    }
    judged.claim.why?.let { p { strong { +"Why. " }; prose(it) } }
    if (judged.checks.size <= MAX_OPEN) return@article evidence(subject, judged)
    details {
        summary { +"All ${judged.checks.size} statements with their figures" }
        evidence(subject, judged)
    }
}

private fun FlowContent.evidence(subject: ReportContext, judged: ClaimJudgement) {
    claimPlot(subject, judged)
    div("scroll") {
        scrollable("Figures of the claim ${judged.claim.name}")
        table("claim-figures") { figures(subject, judged) }
    }
}

/** Empty columns are left out. */
private class Columns(subject: ReportContext, judged: ClaimJudgement) {
    private val evidence = judged.checks.flatMap { check -> check.evidence.map { check to it } }
    val hasPublished = evidence.any { (_, it) -> it.published != null }
    val hasCeilings = evidence.any { (check, it) -> subject.ceilingOf(check, it) != null }

    val caption = listOfNotNull(
        if (hasPublished) "Published and measured figures." else "Measured figures.",
        "A ceiling is the highest throughput that a setting allows.".takeIf { hasCeilings },
    ).joinToString(" ")

    val headings = listOfNotNull(
        "Conditions", "Statement", "Server and situation", "Published".takeIf { hasPublished }, "Measured",
        "Ceiling of a setting".takeIf { hasCeilings }, "Outcome",
    )
}

private fun TABLE.figures(subject: ReportContext, judged: ClaimJudgement) {
    val columns = Columns(subject, judged)
    caption { +columns.caption }
    thead {
        tr {
            columns.headings.forEach { th(scope = ThScope.col) { +it } }
        }
    }
    tbody {
        judged.checks.forEach { check ->
            check.evidence.forEachIndexed { index, evidence ->
                tr {
                    if (index == 0) statement(check)
                    evidence(subject, check, evidence, columns)
                    if (index == 0) outcome(check)
                }
            }
        }
    }
}

private fun TR.statement(check: ClaimCheck) {
    th(scope = ThScope.row) { rowSpan = "${check.evidence.size}"; +check.conditions }
    td { rowSpan = "${check.evidence.size}"; +unbroken(check.statement.words()) }
}

private fun TR.evidence(subject: ReportContext, check: ClaimCheck, evidence: ClaimEvidence, columns: Columns) {
    td {
        if (evidence.cell.stack in subject.stacks) markSign(subject.mark(evidence.cell.stack))
        +subject.title(evidence.cell.stack)
        val index = subject.judgement.situations.indexOfFirst { it.situation.name == evidence.cell.situation }
        if (index >= 0) a(href = "#${situationId(index)}", classes = "evidence") { +"${evidence.cell.situation}" }
        if (index < 0 && evidence.figure != null) a(href = "#trials", classes = "evidence") { +"all trials" }
    }
    if (columns.hasPublished) td("number") { +(evidence.published?.let { unbroken(it.words()) } ?: "not given") }
    td("number") {
        val unit = check.statement.measure.unit
        span("median") { +(evidence.figure?.let { unbroken(unit.text(it.value)) } ?: "not measured") }
        evidence.figure?.let { span("interval") { +unbroken(it.intervalWords(unit::text)) } }
        if (evidence.validity != Validity.VALID) {
            span("validity ${evidence.validity.name.lowercase()}") { +validityWord(evidence.validity) }
        }
    }
    if (columns.hasCeilings) td { +(subject.ceilingOf(check, evidence)?.let { unbroken(it) } ?: NOTHING) }
}

private fun TR.outcome(check: ClaimCheck) = td {
    rowSpan = "${check.evidence.size}"
    strong { +check.outcomeWords() }
    +" "
    prose(check.words())
}

/** Longer tables are folded. */
private const val MAX_OPEN = 10
