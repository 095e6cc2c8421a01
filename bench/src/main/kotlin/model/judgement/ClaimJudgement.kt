package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Statement

/** What became of a claim, and on what that stands. */
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

/** What can be said of a claim after a run. See `judge/claim/ClaimVerdicts.kt` for when. */
@Serializable
enum class ClaimVerdict { CONFIRMED, CONFIRMED_WITHIN_A_RANGE, REFUTED, DECIDED_BY_THE_SETTING, CANNOT_TELL_HERE }

/** One statement of a claim against what was measured. */
@Serializable
data class ClaimCheck(
    val statement: Statement,
    /** It asks as the post did; otherwise as it should have been asked. */
    val asPublished: Boolean,
    val outcome: CheckOutcome,
    /** What the outcome stands on. */
    val finding: CheckFinding,
    /** Left figure ÷ right figure; null where the statement has no second cell, or no ratio can be formed. */
    val ratio: Figure? = null,
    /** First that of the left cell. */
    val evidence: List<ClaimEvidence>,
    /** Bounds that settings make and that work towards this outcome. */
    val ceilings: List<Ceiling> = emptyList(),
    /** [ceilings] alone bring the outcome about: no server in place of the bounded one could have changed it. */
    val isForced: Boolean = false,
)

/** What the claim was compared with: the ratio of two cells, or the figure of one. Null where there is none. */
val ClaimCheck.found: Figure?
    get() = when (statement.right) {
        is Bound.Value -> evidence.firstOrNull()?.figure
        is Bound.Times -> ratio
    }

/** Whether what was measured bears a statement out. */
@Serializable
enum class CheckOutcome { HOLDS, FAILS, UNKNOWN }

/** What was published and what was measured of one cell. [figure] is null where it was not measured. */
@Serializable
data class ClaimEvidence(
    val cell: ClaimCell,
    val published: PublishedFigure? = null,
    val figure: Figure? = null,
    val validity: Validity = Validity.VALID,
)
