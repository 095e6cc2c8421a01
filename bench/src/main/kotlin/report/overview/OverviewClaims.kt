package threadgauge.report.overview

import kotlinx.html.FlowContent
import kotlinx.html.TBODY
import kotlinx.html.TD
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.id
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import threadgauge.model.Record
import threadgauge.model.judgement.claim.ClaimOverRuns
import threadgauge.report.format.unbroken
import threadgauge.report.html.chart.scrollable
import threadgauge.report.html.claim.claimId
import threadgauge.report.html.claim.claimTag
import threadgauge.report.html.day
import threadgauge.report.html.minute
import threadgauge.wording.claim.words

/** All [claims] of [runs] with their verdicts, one row each, also where several runs tested the same claim. */
internal fun FlowContent.overviewClaims(runs: List<OverviewRun>, claims: List<ClaimOverRuns>) {
    if (claims.isEmpty()) return
    h2 { id = "claims"; +"Claims" }
    p { +claims.words() }
    div("scroll") {
        scrollable("All claims")
        table("overview") {
            caption { +"Each claim links to the figures behind its verdict." }
            thead { tr { listOf("Verdict", "Claim", "Why").forEach { th(scope = ThScope.col) { +it } } } }
            tbody { claims.forEach { row(it, runs) } }
        }
    }
}

private fun TBODY.row(claim: ClaimOverRuns, runs: List<OverviewRun>) = tr {
    val first = claim.runs.first()
    td { claimTag(claim.verdict) }
    val figures = "${runs[first.index].report}#${claimId(first.judged)}"
    th(scope = ThScope.row) { a(href = figures) { +first.judged.claim.says } }
    td {
        if (claim.runsDiffer) +"The runs disagree."
        if (claim.runs.size > 1) eachRun(claim, runs) else +unbroken(first.judged.words())
    }
}

private fun TD.eachRun(claim: ClaimOverRuns, runs: List<OverviewRun>) = ul {
    val labels = labels(claim.runs.map { runs[it.index].record })
    claim.runs.forEachIndexed { at, inRun ->
        li {
            a(href = "${runs[inRun.index].report}#${claimId(inRun.judged)}") { +labels[at] }
            +": ${inRun.judged.verdict.words.lowercase()}. ${unbroken(inRun.judged.words())}"
        }
    }
}

/** Names of runs: day and seed, and the time of day where these are the same. */
private fun labels(records: List<Record>): List<String> {
    val short = records.map { "${day(it.startedAt)}, seed ${it.plan.seed}" }
    return records.mapIndexed { at, record ->
        if (short.count { it == short[at] } == 1) short[at] else "${minute(record.startedAt)}, seed ${record.plan.seed}"
    }
}
