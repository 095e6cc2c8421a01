package threadgauge.model.advice

import kotlinx.serialization.Serializable

/** What a run with advice is about: which changes are known, or which are proven. */
@Serializable
data class AdviceQuestion(
    /** The catalogue, so that the advice can be given again from the record. */
    val changes: List<KnownChange>,
    /** Changes that this run carries out; empty where it only looks for what to change. */
    val proofs: List<Proof> = emptyList(),
)

/** A change that a run carries out, with what was predicted before. */
@Serializable
data class Proof(
    /** The stack with the change. */
    val stack: String,
    /** The same stack without it. */
    val base: String,
    val situation: String,
    /** [KnownChange.id]. */
    val change: String,
    /** What was set, as a user types it. */
    val setting: String,
    val prediction: Prediction,
)

/** What a change is expected to come to, under the same load. Made before it is tried. */
@Serializable
data class Prediction(
    /** Measured before the change. */
    val from: Operation,
    /** Correct answers per second. */
    val perSecond: Range,
    /** Mean latency in microseconds; null where a queue would grow without end. */
    val meanMicros: Range? = null,
    /** The best that can come of it: less is as likely. */
    val isAtMost: Boolean = false,
    /**
     * The code of the service was not compiled yet when its CPU time was measured, so the processor limits it later
     * than predicted: `value` of [perSecond] is the least that is expected, `high` what its other limits allow.
     */
    val isAtLeast: Boolean = false,
) {
    /** Throughput after ÷ throughput before. */
    val ratio: Range get() = perSecond.times(1 / from.perSecond)
}

/** How a service works under a load: throughput in answers per second, and mean latency. */
@Serializable
data class Operation(val perSecond: Double, val meanMicros: Double)

/** An expected value with its bounds. `low <= value <= high`. */
@Serializable
data class Range(val low: Double, val value: Double, val high: Double) {
    fun times(factor: Double) = Range(low * factor, value * factor, high * factor)
}
