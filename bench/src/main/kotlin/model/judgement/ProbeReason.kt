package threadgauge.model.judgement

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.LatencyMeasure

/**
 * Why a probe did not meet the goals: the figure and the exceeded limit. Shares are 0 to 1. The last three are about
 * the load agent; with one of them, the others do not count against the target.
 */
@Serializable
sealed interface ProbeReason {
    /** A latency goal, from the intended time, was missed. */
    @Serializable
    @SerialName("goal-broken")
    data class GoalBroken(val measure: LatencyMeasure, val micros: Double, val maxMicros: Double) : ProbeReason

    /** The goal for errors was missed. */
    @Serializable
    @SerialName("too-many-errors")
    data class TooManyErrors(val share: Double, val max: Double) : ProbeReason

    /** Only this share of the due requests was sent within the probe. */
    @Serializable
    @SerialName("not-sent")
    data class NotSent(val share: Double, val min: Double = ProbeThresholds.MIN_SENT) : ProbeReason

    /**
     * The medians of the seconds rose significantly, and would exceed the tightest latency goal, [maxMicros], within
     * [horizonSeconds]. [firstMicros] and [lastMicros] are those of the first and of the last second.
     */
    @Serializable
    @SerialName("growing-queue")
    data class GrowingQueue(
        val firstMicros: Double,
        val lastMicros: Double,
        /** Growth per second, at least (95 %, one-sided). */
        val growthMicrosPerSecond: Double,
        val maxMicros: Double,
        val horizonSeconds: Int = ProbeThresholds.HORIZON_SECONDS,
    ) : ProbeReason

    /** The agent ran at this share of its maximum throughput. */
    @Serializable
    @SerialName("agent-full")
    data class AgentFull(val share: Double, val max: Double = MAX_SHARE_OF_CEILING) : ProbeReason

    /** The agent's event loops were busy for this share of the time. */
    @Serializable
    @SerialName("agent-busy")
    data class AgentBusy(val share: Double, val max: Double = ProbeThresholds.MAX_AGENT_BUSY) : ProbeReason

    /**
     * Counted from sending, the goals are met. The agent sent up to [maxDelayMicros] late, of which its event loop was
     * delayed by [loopLagMicros].
     */
    @Serializable
    @SerialName("agent-late")
    data class AgentLate(val maxDelayMicros: Double, val loopLagMicros: Double) : ProbeReason
}

/** Notes that make the outcome of a probe less certain. Shares are 0 to 1. */
@Serializable
sealed interface ProbeNote {
    /** [measure] has few answers. [longestTaken]: there were too few for it, so the maximum latency was used. */
    @Serializable
    @SerialName("few-answers")
    data class FewAnswers(
        val measure: LatencyMeasure,
        val answers: Long,
        val needed: Int,
        val longestTaken: Boolean,
    ) : ProbeNote

    /** The agent ran at this share of its maximum throughput. Up to [sound], its own queueing does not show. */
    @Serializable
    @SerialName("agent-near-limit")
    data class AgentNearLimit(val share: Double, val sound: Double = SOUND_SHARE_OF_CEILING) : ProbeNote

    /** The hypervisor took this share of the CPU time. */
    @Serializable
    @SerialName("stolen-time")
    data class StolenTime(val share: Double, val max: Double = ProbeThresholds.NOTED_STEAL) : ProbeNote

    /** Latency of the target did not return to normal within the recovery time before the next probe. */
    @Serializable
    @SerialName("not-recovered")
    data object NotRecovered : ProbeNote
}
