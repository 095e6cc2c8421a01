package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Statement

/** What became of a claim, and on what that stands. */
@Serializable
data class ClaimJudgement(
    val claim: Claim,
    val verdict: ClaimVerdict,
    /** The reason for the verdict, ready to be read. */
    val words: String,
    /** Statements as published first, then the corrected ones. */
    val checks: List<ClaimCheck>,
)

/** What can be said of a claim after a run. See `judge/ClaimVerdicts.kt` for when. */
@Serializable
enum class ClaimVerdict(val words: String) {
    CONFIRMED("Confirmed"),
    CONFIRMED_WITHIN_A_RANGE("Confirmed within a range"),
    REFUTED("Refuted"),
    DECIDED_BY_THE_SETTING("Decided by the setting"),
    CANNOT_TELL_HERE("Cannot tell here"),
}

/** One statement of a claim against what was measured. */
@Serializable
data class ClaimCheck(
    val statement: Statement,
    /** It asks as the post did; otherwise as it should have been asked. */
    val asPublished: Boolean,
    val outcome: CheckOutcome,
    /** One sentence: what was found against what is claimed, or why nothing can be told. */
    val words: String,
    /** Left figure ÷ right figure; null where the statement has no second cell, or no ratio can be formed. */
    val ratio: Figure? = null,
    /** First that of the left cell. */
    val evidence: List<ClaimEvidence>,
    /** Bounds that settings make and that work towards this outcome. */
    val ceilings: List<Ceiling> = emptyList(),
    /** [ceilings] alone bring the outcome about: no server in place of the bounded one could have changed it. */
    val isForced: Boolean = false,
)

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
