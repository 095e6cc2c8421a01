package threadgauge.model.plan

import kotlinx.serialization.Serializable
import threadgauge.model.RunState
import threadgauge.model.TrialState
import threadgauge.model.failure.Failure

/** A resumption of a run that had ended early. Unfinished trials were measured again. */
@Serializable
data class Resumption(
    /** Time of the resumption: an ISO 8601 instant, UTC. */
    val at: String,
    /** State of the record before: RUNNING if the program was killed or the machine went down. */
    val stateBefore: RunState,
    /**
     * The reason for the early end; null where the user interrupted the run, or where nothing could be written any
     * more.
     */
    val failureBefore: Failure? = null,
    /** Measured trials that were kept. */
    val kept: Int,
    /** Unfinished trials that were discarded. */
    val thrownAway: List<UnfinishedTrial> = emptyList(),
)

/** An unfinished trial of a run that ended. */
@Serializable
data class UnfinishedTrial(val stack: String, val number: Int, val state: TrialState, val failure: Failure? = null)
