package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.doubt.Doubt

/** Whether what was measured later is worse than what was measured before. Derived from records alone. */
@Serializable
data class RecordComparison(
    /** Names of the records on each side; several on a side are runs of the same. */
    val base: List<String>,
    val new: List<String>,
    /** Smallest difference that counts: 0.03 means three per cent. */
    val margin: Double,
    val gate: GateResult,
    /** In the order of the base's situations and stacks, gated ones first in each cell. */
    val changes: List<Change>,
    /** What one side has and the other has not, or has otherwise. */
    val notCompared: List<Mismatch>,
    /** About the comparison as a whole, and what both sides' records say of themselves. */
    val doubts: List<Doubt>,
)

/** PASSED: nothing that is gated is worse by more than the margin, and that is sure. FAILED: something surely is. */
@Serializable
enum class GateResult { PASSED, FAILED, CANNOT_TELL }

/** One figure of one cell on both sides. */
@Serializable
data class Change(
    val stack: String,
    val situation: String,
    val of: Compared,
    /** Takes part in the [GateResult]. */
    val gated: Boolean,
    val base: Double,
    val new: Double,
    /**
     * [new] ÷ [base], with its interval after allowing for the number of gated figures; null where there are too few
     * trials.
     */
    val ratio: Double,
    val low: Double? = null,
    val high: Double? = null,
    val outcome: ChangeOutcome,
    /** Of the worse of both cells. */
    val validity: Validity,
    /** Names of the doubts of both cells. */
    val doubts: List<String> = emptyList(),
    /**
     * Trials on each side that would be enough to tell; null where the outcome is known, and where a hundred are too
     * few.
     */
    val trialsToTell: Int? = null,
)

/** What became of a figure, by at least the margin, and surely. */
@Serializable
enum class ChangeOutcome {
    BETTER,
    SAME,

    /** Surely not worse; whether it is better is not known. */
    NOT_WORSE,
    WORSE,
    CANNOT_TELL,
}
