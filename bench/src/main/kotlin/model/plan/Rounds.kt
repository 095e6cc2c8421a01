package threadgauge.model.plan

import kotlinx.serialization.Serializable
import threadgauge.model.Cost
import threadgauge.model.Counts
import threadgauge.model.Surroundings
import threadgauge.model.throughput

/**
 * How the stacks of a block are measured together: all are alive at once, and one at a time is loaded, for a slice. A
 * round is one slice of every stack in each situation, in an order drawn anew.
 */
@Serializable
data class RoundsRule(
    /** Shortest slice that counts, in nanoseconds. */
    val sliceNanos: Long = 500_000_000,
    /** Shortest lead-in: load before each slice that does not count, in nanoseconds. */
    val leadInNanos: Long = 100_000_000,
)

/** One slice of load on one stack in one situation: what is compared within a round. */
@Serializable
data class Slice(
    val situation: String,
    /** Round of the block, counted from 1. Slices of the same situation, block and round are compared. */
    val round: Int,
    /** Milliseconds from the start of the run. */
    val atMillis: Double,
    /** Length of the part that counts. */
    val windowMillis: Double,
    val counts: Counts,
    /** Correct answers within the window. */
    val answeredInWindow: Long,
    val latency: SliceLatency,
    /** 99 % of the requests left no later than this after their intended time, in microseconds. */
    val sendDelayP99Micros: Double,
    /** CPU time of the target in the window; null where it cannot be observed. */
    val cpuMillis: Double? = null,
    val agentCpuMillis: Double = 0.0,
    /** As [Surroundings.referenceDuringMicros]. */
    val referenceMicros: Double? = null,
    /** As [Cost.steal]. */
    val steal: Double? = null,
    /** As [Surroundings.otherBusyShare]. */
    val otherBusyShare: Double? = null,
    /** As [Surroundings.takenFromTarget]. */
    val takenFromTarget: Double? = null,
    /** Largest resident memory of the target in the window, in bytes; only for the places of a map. */
    val rssBytesMax: Long? = null,
) {
    /** Correct answers per second of the window. */
    val perSecond: Double get() = throughput(answeredInWindow, windowMillis)

    /** CPU time of the target per answer, in microseconds; null where unknown, and without answers. */
    val cpuMicrosPerRequest: Double?
        get() = cpuMillis?.takeIf { answeredInWindow > 0 }?.let { it * 1e3 / answeredInWindow }
}

/** Latency in one slice, in microseconds. */
@Serializable
data class SliceLatency(val meanMicros: Double, val p50Micros: Double, val p99Micros: Double)
