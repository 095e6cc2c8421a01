package threadgauge.model

import kotlinx.serialization.Serializable

/** A run was carried on after it had ended too early. What was not measured to its end then was measured anew. */
@Serializable
data class Resumption(
    /** When it was carried on: an ISO 8601 instant, UTC. */
    val at: String,
    /** State of the record before: RUNNING where the program was killed or the machine went down. */
    val stateBefore: RunState,
    /** Why it had ended, in words for the user; null where nothing could be written any more. */
    val reasonBefore: String? = null,
    /** Repeats that had been measured, and were kept. */
    val kept: Int,
    /** Repeats that had been begun and were thrown away. */
    val thrownAway: List<UnfinishedRepeat> = emptyList(),
)

/** A repeat that had been begun when a run ended. */
@Serializable
data class UnfinishedRepeat(val stack: String, val number: Int, val state: RepeatState, val reason: String? = null)
