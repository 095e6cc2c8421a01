package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimEvidence
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.report.html.claim.inWords
import threadgauge.report.html.validityWord
import threadgauge.wording.claim.conditions
import threadgauge.wording.claim.intervalWords
import threadgauge.wording.claim.outcomeWords
import threadgauge.wording.claim.text
import threadgauge.wording.claim.words

/** Each claim for a terminal: verdict, reason, and its figures with the published ones. */
internal fun VerticalLayoutBuilder.claims(judgement: Judgement) {
    if (judgement.claims.isEmpty()) return
    paragraph(bold("Claims"))
    judgement.source?.let { paragraph(dim("Claimed by: ${it.inWords()}")) }
    judgement.claims.forEach { claim(it) }
    blank()
}

private fun VerticalLayoutBuilder.claim(judged: ClaimJudgement) {
    val verdict = judged.verdict.words.uppercase()
    val shown = if (judged.verdict == ClaimVerdict.CONFIRMED) bold(verdict) else yellow(bold(verdict))
    blank()
    hanging(SIGNS.getValue(judged.verdict), "$shown: “${judged.claim.says}”")
    hanging("", judged.words())
    val (plain, telling) = judged.checks.partition { it.outcome == CheckOutcome.HOLDS && !it.isForced }
    val folded = if (plain.size > MAX_HOLDING) plain else emptyList()
    if (folded.isNotEmpty()) hanging("", dim("${folded.size} statements hold; the report shows their figures."))
    (if (folded.isEmpty()) judged.checks else telling).forEach { check ->
        hanging("", dim("${check.conditions}: ${check.statement.words()}. ${check.outcomeWords()} ${check.words()}"))
        check.evidence.forEach { hanging("", "- ${line(check, it)}") }
    }
}

private fun line(check: ClaimCheck, evidence: ClaimEvidence): String {
    val unit = check.statement.measure.unit
    val published = evidence.published?.let { "published ${it.words()}, " }.orEmpty()
    val found = evidence.figure?.let { "measured ${unit.text(it.value)} (${it.intervalWords(unit::text)})" }
        ?: "not measured"
    val doubtful = if (evidence.validity == Validity.VALID) "" else ", ${validityWord(evidence.validity)}"
    return "${evidence.cell.words()}: $published$found$doubtful"
}

/** ASCII signs, and ± as in Latin 1, which every terminal has. */
private val SIGNS = mapOf(
    ClaimVerdict.CONFIRMED to "+", ClaimVerdict.CONFIRMED_WITHIN_A_RANGE to "±", ClaimVerdict.REFUTED to "-",
    ClaimVerdict.DECIDED_BY_THE_SETTING to "^", ClaimVerdict.CANNOT_TELL_HERE to "?",
)

/** If more statements hold, they are counted instead of shown. */
private const val MAX_HOLDING = 6
