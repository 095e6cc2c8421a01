package threadgauge.model

import kotlinx.serialization.Serializable
import threadgauge.model.failure.Failure

/** A run was carried on after it had ended too early. What was not measured to its end then was measured anew. */
@Serializable
data class Resumption(
    /** When it was carried on: an ISO 8601 instant, UTC. */
    val at: String,
    /** State of the record before: RUNNING where the program was killed or the machine went down. */
    val stateBefore: RunState,
    /** What had ended it; null where the user did, or where nothing could be written any more. */
    val failureBefore: Failure? = null,
    /** Trials that had been measured, and were kept. */
    val kept: Int,
    /** Trials that had been begun and were thrown away. */
    val thrownAway: List<UnfinishedTrial> = emptyList(),
)

/** A trial that had been begun when a run ended. */
@Serializable
data class UnfinishedTrial(val stack: String, val number: Int, val state: TrialState, val failure: Failure? = null)
