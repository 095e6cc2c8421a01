package threadgauge.model.judgement.map

import kotlinx.serialization.Serializable
import threadgauge.model.RunState
import threadgauge.model.judgement.Estimated
import threadgauge.model.plan.MapQuestion

/** The judgement of a map. Derived from a [threadgauge.model.Record] alone, and never stored in it. */
@Serializable
data class MapJudgement(
    val recordId: String,
    val state: RunState,
    val question: MapQuestion,
    /** In the order of the plan. */
    val stacks: List<MapStack>,
    /** Places that were measured, by work and then by users. */
    val places: List<MapPlace>,
    /** By stack and work. */
    val borders: List<MapBorder>,
    /** Processes of each stack that were measured; at least 1. */
    val processes: Int,
    /** The search ended because nothing was left to look for; otherwise time was up, or it was interrupted. */
    val isComplete: Boolean,
    /** Share of the machine that its host took, on average over all slices; null where it is unknown. */
    val stolenShare: Double?,
    /** Share of the processors that other programs used, on average over all slices; null where it is unknown. */
    val othersShare: Double?,
)

/** A stack of a map. */
@Serializable
data class MapStack(
    val name: String,
    val title: String,
    /** Requests that may be in its handlers at a time, by its settings; null without a limit. */
    val limit: Int?,
    /** Null where too little was measured. */
    val law: StackLaw?,
)

/**
 * Few numbers of a stack, from what was measured of it, and how well they predict that. What bounds a closed load of
 * N users who each wait w: N ÷ (w + alone), 1 ÷ CPU, and places ÷ (w + CPU); the smallest holds. CPU grows with the
 * requests that are inside.
 */
@Serializable
data class StackLaw(
    /** CPU time of a request, on all cores of the server together, in microseconds. */
    val cpuMicros: Double,
    /** Latency of a request beyond its wait where nobody else asks, in microseconds. */
    val aloneMicros: Double,
    /** Requests that are handled at a time at most; null where no bound was seen. */
    val places: Double?,
    /** What each request inside adds to the CPU time of every one, on all cores together, in nanoseconds. */
    val cpuNanosPerWaiting: Double,
    /**
     * Memory that a waiting request adds at most, in bytes, for the heap grows by what is allocated as well; null where
     * it is unknown or too small to be seen.
     */
    val bytesPerWaiting: Double?,
    /** Places whose throughput is predicted within 25 %, by numbers from other places. */
    val near: Int,
    /** Places that were measured. */
    val of: Int,
)

/** What was measured at one place. */
@Serializable
data class MapPlace(
    /** What a request does, in the unit of the sheet. */
    val work: Int,
    val users: Int,
    /** Those that were measured there, in the order of the plan. */
    val stacks: List<StackAtPlace>,
) {
    /** All that were measured fit. */
    val doAllFit: Boolean get() = stacks.all { it.fit == Fit.YES }

    /** Rounds of the stack with the fewest. */
    val rounds: Int get() = stacks.minOf { it.rounds }

    companion object {
        /** A column is begun at its ends: where these have fewer rounds, time was up before it was looked into. */
        const val WHOLE_ROUNDS = 2
    }
}

/** One stack at one place. */
@Serializable
data class StackAtPlace(
    val stack: String,
    /** Correct answers per second. */
    val perSecond: Double,
    /** Its throughput as a share of the fastest stack's at this place, with a 95 % interval. */
    val share: Estimated,
    val fit: Fit,
    val p50Millis: Double,
    val p99Millis: Double,
    /** CPU time per answer in microseconds; null where unknown. */
    val cpuMicrosPerRequest: Double?,
    /** Largest resident memory in bytes; null where unknown. */
    val memoryBytes: Long?,
    /** Share of requests that failed, 0 to 1. */
    val failedShare: Double,
    /** Rounds that were measured. */
    val rounds: Int,
    /** A setting of the stack bounds its throughput here: so many requests at a time. Null where none does. */
    val heldAt: Int?,
    /** By the law; null without one. */
    val predictedPerSecond: Double?,
)

/** Whether a stack fits a place: it does, it does not, or the interval leaves both open. */
@Serializable
enum class Fit { YES, NO, OPEN }

/**
 * A border of the region in which [stack] fits: for requests of this [work] it fits below the border and not above, or
 * the other way round where not [fitsBelow]. The border lies between [fromUsers] and [toUsers].
 */
@Serializable
data class MapBorder(
    val stack: String,
    val work: Int,
    val fromUsers: Int,
    val toUsers: Int,
    val fitsBelow: Boolean,
    /** A setting bounds the stack on the far side. */
    val bySetting: Boolean,
) {
    /** 1.26 for a border that is known to a step of the grid. */
    val factor: Double get() = toUsers.toDouble() / fromUsers

    companion object {
        /** A border that is known to such a factor is measured no more. */
        const val WELL_KNOWN = 1.3
    }
}
