package threadgauge.plan

import threadgauge.model.Load
import threadgauge.model.RoundsRule
import threadgauge.model.lengthNanos
import threadgauge.model.part

/**
 * How the load of a situation is cut into slices: [parts] of [sliceNanos], each after a lead-in of [leadInNanos]. A
 * load that cannot be cut is one part and has neither.
 */
internal data class Slicing(val parts: Int, val sliceNanos: Long = 0, val leadInNanos: Long = 0) {
    val isCut: Boolean get() = sliceNanos > 0

    /**
     * Round [round] of [rounds], counted from 1, has one of the parts. They are spread evenly over the rounds, the
     * first in the first: a block that ends before its time has some of every situation.
     */
    fun isIn(round: Int, rounds: Int): Boolean = partsBefore(round, rounds) > partsBefore(round - 1, rounds)

    private fun partsBefore(end: Int, rounds: Int) = (end.toLong() * parts + rounds - 1) / rounds

    /** As many of the same slices as there are when [rounds] take the place of [planned] rounds; at least one. */
    fun scaled(rounds: Int, planned: Int): Slicing =
        if (isCut) copy(parts = maxOf(1, (parts.toLong() * rounds / planned).toInt())) else this

    /** The load of part [number] of [load], lead-in included. */
    fun load(load: Load, number: Int): Load =
        if (isCut) checkNotNull(load.part(sliceNanos + leadInNanos, number)) else load
}

/**
 * Cuts [load] for a situation whose requests typically take [typicalNanos] on the slowest of the stacks. A slice is as
 * long as [rule] says and at least [MIN_LATENCIES] times the latency, so that it shows the load as it is; longer ones
 * have whole seconds. The parts together are no longer than the load.
 */
internal fun slicingOf(load: Load, rule: RoundsRule, typicalNanos: Long): Slicing {
    val whole = load.lengthNanos ?: return Slicing(1)
    load.part(whole, 0) ?: return Slicing(1)
    val enough = maxOf(rule.sliceNanos, MIN_LATENCIES * typicalNanos)
    val slice = if (enough == rule.sliceNanos) enough else (enough + SECOND - 1) / SECOND * SECOND
    val leadIn = leadInNanos(rule, typicalNanos)
    val parts = whole / slice
    return if (parts < 2) Slicing(1, whole, leadIn) else Slicing(parts.toInt(), slice, leadIn)
}

/** Time after which a load with requests of [typicalNanos] is as it will be, if [rule] sets the least. */
internal fun leadInNanos(rule: RoundsRule, typicalNanos: Long): Long =
    maxOf(rule.leadInNanos, LEAD_IN_LATENCIES * typicalNanos)

/** With fewer, the requests that reach over the ends of a slice are a large part of it. */
private const val MIN_LATENCIES = 20L

/** By then every user of a closed load is in a second request. */
private const val LEAD_IN_LATENCIES = 2L
private const val SECOND = 1_000_000_000L
