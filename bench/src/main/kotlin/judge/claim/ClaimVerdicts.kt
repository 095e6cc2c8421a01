package threadgauge.judge.claim

import threadgauge.judge.JudgedCell
import threadgauge.model.Record
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.cells
import threadgauge.model.judgement.claim.CheckOutcome.FAILS
import threadgauge.model.judgement.claim.CheckOutcome.HOLDS
import threadgauge.model.judgement.claim.CheckOutcome.UNKNOWN
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimVerdict

/** The judged claims of [record]. [cells] are all judged cells, by the name of their situation. */
internal fun judgeClaims(record: Record, cells: Map<String, List<JudgedCell>>): List<ClaimJudgement> {
    val byCell = cells.flatMap { (situation, judged) -> judged.map { ClaimCell(it.cell.stack, situation) to it } }
    val checks = ClaimChecks(record, byCell.toMap())
    return record.plan.experiment.claims.map { claim ->
        judgeClaim(claim, checks.checks(claim.asPublished, true), checks.checks(claim.corrected, false))
    }
}

internal fun judgeClaim(claim: Claim, published: List<ClaimCheck>, corrected: List<ClaimCheck>): ClaimJudgement {
    val checks = DecidingChecks(published, corrected)
    val verdict = checks.verdict()
    return ClaimJudgement(claim, verdict, checks.reason(verdict), checks.checks)
}

/**
 * The checks that decide: the corrected ones, or those as published where there are no others. A check that a setting
 * forces says nothing about the servers, so the *free* ones come first. Decision 0021 lists the cases. Numbers are
 * indices in [checks].
 */
internal class DecidingChecks(asPublished: List<ClaimCheck>, corrected: List<ClaimCheck>) {
    val checks: List<ClaimCheck> = asPublished + corrected
    val published: List<Int> = asPublished.indices.toList()
    val isCorrected: Boolean = corrected.isNotEmpty()
    val all: List<Int> = if (isCorrected) checks.indices.drop(published.size) else published
    val holding: List<Int> = all.filter { checks[it].outcome == HOLDS }
    val failing: List<Int> = all.filter { checks[it].outcome == FAILS }

    /** Holding or failing, and not forced. */
    private val free = (holding + failing).filterNot { checks[it].isForced }

    /** Failing without being forced. */
    val freelyFailing: List<Int> = free.filter { checks[it].outcome == FAILS }

    /** Unknown, without an effect on the verdict: the same servers in the same situation fail by another measure. */
    val idle: List<Int>
    val unknown: List<Int>

    init {
        val (idle, unknown) = all.filter { checks[it].outcome == UNKNOWN }
            .partition { unknown -> freelyFailing.any { checks[it].isBeside(checks[unknown]) } }
        this.idle = idle
        this.unknown = unknown
    }

    /** The claim holds as published, but only because a setting limits one side. */
    val isExplained: Boolean =
        isCorrected && asPublished.isNotEmpty() && asPublished.all { it.outcome == HOLDS && it.ceilings.isNotEmpty() }

    fun verdict(): ClaimVerdict = when {
        free.isEmpty() ->
            if (all.isEmpty() || unknown.isNotEmpty()) ClaimVerdict.CANNOT_TELL_HERE
            else ClaimVerdict.DECIDED_BY_THE_SETTING
        freelyFailing.isEmpty() ->
            if (unknown.isEmpty() && failing.isEmpty()) ClaimVerdict.CONFIRMED
            else ClaimVerdict.CONFIRMED_WITHIN_A_RANGE
        freelyFailing.size < free.size -> ClaimVerdict.CONFIRMED_WITHIN_A_RANGE
        unknown.isNotEmpty() -> ClaimVerdict.CANNOT_TELL_HERE
        isExplained || holding.isNotEmpty() -> ClaimVerdict.DECIDED_BY_THE_SETTING
        else -> ClaimVerdict.REFUTED
    }
}

private fun ClaimCheck.isBeside(other: ClaimCheck) =
    statement.cells == other.statement.cells && statement.measure != other.statement.measure
