package threadgauge.model.judgement

import kotlinx.serialization.Serializable
import threadgauge.model.judgement.cause.Holder
import threadgauge.model.judgement.cause.TimePart
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Frame
import threadgauge.model.profile.PoolKind

/**
 * How the causes of a stack in a situation differ between two records, by one profile of each. A profile is one process
 * for some seconds, so what differs here is where to look, and no part of the verdict.
 */
@Serializable
data class CauseChange(
    val stack: String,
    val situation: String,
    val baseHolder: Holder,
    val newHolder: Holder,
    /** Another resource holds it now. */
    val holderChanged: Boolean,
    /** Mean latency in the profiled loads, in microseconds. */
    val baseMicros: Double,
    val newMicros: Double,
    /** Parts of the latency that changed, the largest difference first. */
    val parts: List<PartChange> = emptyList(),
    /** CPU time per request by method, for methods whose time changed for certain, the largest difference first. */
    val methods: List<MethodChange> = emptyList(),
    /** Where [methods] are from; null where they were not compared, because both sides do not have the same. */
    val methodsFrom: FlameSource? = null,
    /** Allocation per request; null where it differs by less than samples of equal builds do, and where unknown. */
    val allocated: AllocationChange? = null,
    /** Pools whose maximum changed. */
    val pools: List<PoolChange> = emptyList(),
) {
    /** Nothing of it differs by more than chance explains. */
    val isNothing: Boolean get() =
        !holderChanged && parts.isEmpty() && methods.isEmpty() && pools.isEmpty() && allocated == null
}

/** A part of the mean latency that changed. */
@Serializable
data class PartChange(
    /** As it is on the side where it takes more. */
    val part: TimePart,
    val baseMicros: Double,
    val newMicros: Double,
)

/** CPU time of a request in one method. */
@Serializable
data class MethodChange(
    /**
     * The method of the user's code, with what it calls in libraries; without any, that of a library. Null for threads
     * of the JVM itself, such as its collector.
     */
    val method: Frame?,
    /** The group of threads where there is no [method]. */
    val threads: String?,
    val baseMicros: Double,
    val newMicros: Double,
    val baseSamples: Long,
    val newSamples: Long,
)

/** Bytes per request, by sampled allocations. */
@Serializable
data class AllocationChange(val base: Double, val new: Double)

/** The maximum of a pool on both sides. */
@Serializable
data class PoolChange(val name: String, val kind: PoolKind, val base: Int, val new: Int)
