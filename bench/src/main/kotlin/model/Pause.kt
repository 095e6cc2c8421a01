package threadgauge.model

import kotlinx.serialization.Serializable

/**
 * The run stood still for [millis]: the machine slept, or the coordinator was stopped. What was being measured then is
 * no measurement.
 */
@Serializable
data class Pause(
    /** Milliseconds from the start of the run, when it was noticed. By a clock that stops where the machine sleeps. */
    val atMillis: Double,
    /** By that clock or by the one on the wall, whichever shows more. */
    val millis: Double,
    /** Number of the block, or of the trial that was measured by itself. */
    val trial: Int,
    val situation: String,
    /** The round that was disturbed; null where one stack was measured by itself. */
    val round: Int? = null,
    /** That stack; null in rounds. */
    val stack: String? = null,
    /** It was thrown out and measured anew. False where that had been done too often, and where it comes only once. */
    val isMeasuredAnew: Boolean,
)
