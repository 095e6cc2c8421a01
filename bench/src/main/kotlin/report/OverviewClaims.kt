package threadgauge.report

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
import threadgauge.model.ClaimOverRuns
import threadgauge.model.ClaimVerdict

/** What became of all [claims] of [runs]: one row for each, also where several runs asked the same. Nothing where there are none. */
internal fun FlowContent.overviewClaims(runs: List<OverviewRun>, claims: List<ClaimOverRuns>) {
    if (claims.isEmpty()) return
    h2 { id = "claims"; +"What became of the claims" }
    p { +counted(claims) }
    div("scroll") {
        scrollable("All claims")
        table("overview") {
            caption { +"Each claim leads to the figures that it was judged by." }
            thead { tr { listOf("Verdict", "Claim", "Why").forEach { th(scope = ThScope.col) { +it } } } }
            tbody { claims.forEach { row(it, runs) } }
        }
    }
}

/** "13 refuted, 6 confirmed. 19 were asked in more than one run; where these differ (2 claims), it cannot be told." */
private fun counted(all: List<ClaimOverRuns>): String {
    val verdicts = ClaimVerdict.entries.map { verdict -> verdict to all.count { it.verdict == verdict } }.filter { it.second > 0 }
        .joinToString(", ") { (verdict, count) -> "$count ${verdict.words.lowercase()}" }
    val again = all.count { it.runs.size > 1 }
    val differ = all.count { it.runsDiffer }
    return "$verdicts." + when {
        again == 0 -> ""
        differ == 0 -> " ${asked(again, all.size)} in more than one run, and the runs agree."
        else -> " ${asked(again, all.size)} in more than one run; where the runs differ (${count(differ, "claim")}), it cannot be told."
    }
}

private fun asked(again: Int, all: Int) = if (again == all) "All were asked" else "$again ${if (again == 1) "was" else "were"} asked"

private fun TBODY.row(claim: ClaimOverRuns, runs: List<OverviewRun>) = tr {
    val first = claim.runs.first()
    td { claimTag(claim.verdict) }
    th(scope = ThScope.row) { a(href = "${runs[first.index].report}#${claimId(first.judged)}") { +first.judged.claim.says } }
    td {
        +if (claim.runsDiffer) "The runs differ." else unbroken(first.judged.words)
        if (claim.runs.size > 1) eachRun(claim, runs)
    }
}

private fun TD.eachRun(claim: ClaimOverRuns, runs: List<OverviewRun>) = ul {
    claim.runs.forEach { inRun ->
        val run = runs[inRun.index]
        li {
            a(href = "${run.report}#${claimId(inRun.judged)}") { +"${day(run.record.startedAt)}, seed ${run.record.plan.seed}" }
            +": ${inRun.judged.verdict.words.lowercase()}"
            if (claim.runsDiffer) +". ${unbroken(inRun.judged.words)}"
        }
    }
}
