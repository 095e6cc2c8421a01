package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.LatencyMeasure

/**
 * What decided that a probe was not kept: the figure that was seen, and the limit that it passed. Shares are 0 to 1.
 * The last three speak of the load agent; where one of them holds, the others are not held against the target.
 */
@Serializable
sealed interface ProbeReason {
    /** A goal about latency, from the intended time, was broken. */
    @Serializable
    @SerialName("goal-broken")
    data class GoalBroken(val measure: LatencyMeasure, val micros: Double, val maxMicros: Double) : ProbeReason

    /** The goal about errors was broken. */
    @Serializable
    @SerialName("too-many-errors")
    data class TooManyErrors(val share: Double, val max: Double) : ProbeReason

    /** Only this share of the due requests left within the probe. */
    @Serializable
    @SerialName("not-sent")
    data class NotSent(val share: Double, val min: Double = ProbeThresholds.MIN_SENT) : ProbeReason

    /**
     * The median of each second rose surely, and would pass the tightest goal about latency, [maxMicros], within
     * [horizonSeconds]. [firstMicros] and [lastMicros] are those of the first and of the last second.
     */
    @Serializable
    @SerialName("growing-queue")
    data class GrowingQueue(
        val firstMicros: Double,
        val lastMicros: Double,
        /** What it grew by in each second, at least (95 %, one-sided). */
        val growthMicrosPerSecond: Double,
        val maxMicros: Double,
        val horizonSeconds: Int = ProbeThresholds.HORIZON_SECONDS,
    ) : ProbeReason

    /** The agent reached this share of its own ceiling. */
    @Serializable
    @SerialName("agent-full")
    data class AgentFull(val share: Double, val max: Double = MAX_SHARE_OF_CEILING) : ProbeReason

    /** The agent's event loops worked for this share of the time. */
    @Serializable
    @SerialName("agent-busy")
    data class AgentBusy(val share: Double, val max: Double = ProbeThresholds.MAX_AGENT_BUSY) : ProbeReason

    /**
     * From the moment of sending the goals hold; the agent sent up to [maxDelayMicros] late, its event loop by
     * [loopLagMicros].
     */
    @Serializable
    @SerialName("agent-late")
    data class AgentLate(val maxDelayMicros: Double, val loopLagMicros: Double) : ProbeReason
}

/** What makes the outcome of a probe less sure. Shares are 0 to 1. */
@Serializable
sealed interface ProbeNote {
    /**
     * [measure] rests on few answers. [longestTaken]: there were too few for it at all, so the longest latency took
     * its place.
     */
    @Serializable
    @SerialName("few-answers")
    data class FewAnswers(
        val measure: LatencyMeasure,
        val answers: Long,
        val needed: Int,
        val longestTaken: Boolean,
    ) : ProbeNote

    /** The agent reached this share of its ceiling, up to [sound] of which its own queueing does not show. */
    @Serializable
    @SerialName("agent-near-limit")
    data class AgentNearLimit(val share: Double, val sound: Double = SOUND_SHARE_OF_CEILING) : ProbeNote

    /** The hypervisor took this share of the machine's time. */
    @Serializable
    @SerialName("stolen-time")
    data class StolenTime(val share: Double, val max: Double = ProbeThresholds.NOTED_STEAL) : ProbeNote

    /** The target did not become as fast again as on its own, in the time that it is given before the next probe. */
    @Serializable
    @SerialName("not-recovered")
    data object NotRecovered : ProbeNote
}
