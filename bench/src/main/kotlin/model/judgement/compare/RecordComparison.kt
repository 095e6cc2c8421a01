package threadgauge.model.judgement.compare

import kotlinx.serialization.Serializable
import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.CauseChange
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.request.StepName

/** Whether the later measurement is worse than the earlier one. Derived from records alone. */
@Serializable
data class RecordComparison(
    /** Names of the records on each side; several on one side are runs of the same plan. */
    val base: List<String>,
    val new: List<String>,
    /** Smallest difference that counts, as a share: 0.03 means 3 %. */
    val margin: Double,
    val gate: GateResult,
    /** In the order of the situations and stacks of the base, gated figures of each cell first. */
    val changes: List<Change>,
    /** What one side lacks, or has in another form. */
    val notCompared: List<Mismatch>,
    /** Doubts about the comparison as a whole, and about the runs of both sides. */
    val doubts: List<Doubt>,
    /** How causes changed, for each cell with profiles on both sides. */
    val causes: List<CauseChange> = emptyList(),
)

/** PASSED: certainly no gated figure is worse by more than the margin. FAILED: certainly one is. */
@Serializable
enum class GateResult { PASSED, FAILED, CANNOT_TELL }

/** One figure of one cell, or of a step in it, on both sides. */
@Serializable
data class Change(
    val stack: String,
    val situation: String,
    val of: Compared,
    /** Takes part in the [GateResult]. */
    val gated: Boolean,
    val base: Double,
    val new: Double,
    /** [new] ÷ [base], with its interval after correction for the number of gated figures; null for too few trials. */
    val ratio: Double,
    val low: Double? = null,
    val high: Double? = null,
    val outcome: ChangeOutcome,
    /** Validity of the worse of both cells. */
    val validity: Validity,
    /** Names of the doubts of both cells. */
    val doubts: List<String> = emptyList(),
    /** Trials on each side that are enough for an outcome; null where there is one, and where a hundred are too few. */
    val trialsToTell: Int? = null,
    /** Null for a figure of the whole cell. */
    val step: StepName? = null,
)

/** Outcome of a figure, by at least the margin, with certainty. */
@Serializable
enum class ChangeOutcome {
    BETTER,
    SAME,

    /** Certainly not worse; better or the same is unknown. */
    NOT_WORSE,
    WORSE,
    CANNOT_TELL,
}
