package threadgauge.wording.claim

import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimCheck
import threadgauge.model.judgement.claim.ClaimEvidence
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimReason
import threadgauge.model.judgement.claim.ClaimVerdict

/** a in [left] serves at least [factor] times what b in [right] serves. */
internal fun servesMore(left: String, right: String = left, factor: Double = 2.0) = Statement(
    ClaimMeasure.THROUGHPUT, ClaimCell("a", left), Relation.AT_LEAST, Bound.Times(factor, ClaimCell("b", right)),
)

/** p99 of a in [situation] is at most 50 ms. */
internal fun answersSoon(situation: String) =
    Statement(ClaimMeasure.P99, ClaimCell("a", situation), Relation.AT_MOST, Bound.Value(50.0))

/** A check of [statement] that found [value] with an interval of a tenth to both sides. */
internal fun found(
    statement: Statement, value: Double, outcome: CheckOutcome, ceilings: List<Ceiling> = emptyList(),
    isForced: Boolean = false, asPublished: Boolean = false,
): ClaimCheck {
    val figure = Figure(value, 0.9 * value, 1.1 * value, emptyList())
    val isRatio = statement.right is Bound.Times
    return ClaimCheck(
        statement, asPublished, outcome, CheckFinding.Found, figure.takeIf { isRatio },
        listOf(ClaimEvidence(statement.left, figure = figure.takeUnless { isRatio })), ceilings, isForced,
    )
}

/** A check of [statement] that told nothing because of [finding]. */
internal fun untold(statement: Statement, finding: CheckFinding) =
    ClaimCheck(statement, asPublished = false, CheckOutcome.UNKNOWN, finding, evidence = emptyList())

/** The words of a claim with [checks] that was judged for [reason]. The verdict is in none of them. */
internal fun words(reason: ClaimReason, vararg checks: ClaimCheck): String =
    ClaimJudgement(Claim("c", "It is so."), ClaimVerdict.CONFIRMED, reason, checks.toList()).words()
