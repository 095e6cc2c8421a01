package threadgauge.model.judgement.claim

import kotlinx.serialization.Serializable
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Statement
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Validity

/** The verdict on a claim and its basis. */
@Serializable
data class ClaimJudgement(
    val claim: Claim,
    val verdict: ClaimVerdict,
    val reason: ClaimReason,
    /** Statements as published first, then the corrected ones. */
    val checks: List<ClaimCheck>,
)

/** The checks that decide: the corrected ones, or those as published where there are no others. */
val ClaimJudgement.deciding: List<ClaimCheck> get() = checks.filterNot { it.asPublished }.ifEmpty { checks }

/** Verdicts on claims. `judge/claim/ClaimVerdicts.kt` has the rules. */
@Serializable
enum class ClaimVerdict { CONFIRMED, CONFIRMED_WITHIN_A_RANGE, REFUTED, DECIDED_BY_THE_SETTING, CANNOT_TELL_HERE }

/** One statement of a claim and its measurement. */
@Serializable
data class ClaimCheck(
    val statement: Statement,
    /** Tested as in the post; otherwise as corrected. */
    val asPublished: Boolean,
    val outcome: CheckOutcome,
    /** The basis of the outcome. */
    val finding: CheckFinding,
    /** Left figure ÷ right figure; null where the statement has no second cell, or no ratio can be formed. */
    val ratio: Figure? = null,
    /** That of the left cell first. */
    val evidence: List<ClaimEvidence>,
    /** Ceilings of settings that favour this outcome. */
    val ceilings: List<Ceiling> = emptyList(),
    /** [ceilings] alone cause the outcome: no server in place of the limited one could have changed it. */
    val isForced: Boolean = false,
)

/**
 * The figure that was compared with the claim: the ratio of two cells, or the figure of one. Null where there is none.
 */
val ClaimCheck.found: Figure?
    get() = when (statement.right) {
        is Bound.Value -> evidence.firstOrNull()?.figure
        is Bound.Times -> ratio
    }

/** Outcome of a statement. */
@Serializable
enum class CheckOutcome { HOLDS, FAILS, UNKNOWN }

/** The published and the measured figure of one cell. [figure] is null where it was not measured. */
@Serializable
data class ClaimEvidence(
    val cell: ClaimCell,
    val published: PublishedFigure? = null,
    val figure: Figure? = null,
    val validity: Validity = Validity.VALID,
)
