package threadgauge.plan

import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.lengthNanos
import threadgauge.model.part
import threadgauge.model.plan.RoundsRule

/**
 * How the load of a situation is cut into slices for one stack: [parts] in the situation, of which this stack has every
 * [stride]th, of [sliceNanos], each after a lead-in of [leadInNanos]. A load that cannot be cut is one part and has
 * neither.
 */
internal data class Slicing(
    val parts: Int,
    val sliceNanos: Long = 0,
    val leadInNanos: Long = 0,
    /** A power of two, or [parts] where the stack has one slice only. So a slower stack has no round for itself. */
    val stride: Int = 1,
) {
    val isCut: Boolean get() = sliceNanos > 0

    /**
     * Round [round] of [rounds], counted from 1, has one of the parts, and this stack has it. Parts are spread evenly
     * over the rounds, the first in the first: a block that ends before its time has some of every situation.
     */
    fun isIn(round: Int, rounds: Int): Boolean {
        val part = partsBefore(round, rounds)
        val isFirstOfItsSlice = (part - 1) % stride == 0
        val isWhole = part == 1 || part - 1 + stride <= parts
        return part > partsBefore(round - 1, rounds) && isFirstOfItsSlice && isWhole
    }

    private fun partsBefore(end: Int, rounds: Int) = ((end.toLong() * parts + rounds - 1) / rounds).toInt()

    /** As many of the same slices as there are when [rounds] take the place of [planned] rounds; at least one. */
    fun scaled(rounds: Int, planned: Int): Slicing =
        if (isCut) copy(parts = maxOf(1, (parts.toLong() * rounds / planned).toInt())) else this

    /** The load of part [number] of [load], lead-in included. */
    fun load(load: Load, number: Int): Load =
        if (isCut) checkNotNull(load.part(sliceNanos + leadInNanos, number)) else load
}

/**
 * Cuts the load of [situation] for each of several stacks, to which its requests typically take [typicalNanos]. A slice
 * is as long as [rule] says and at least [MIN_LATENCIES] times its stack's latency, so that it shows the load as it is,
 * and [MIN_PASSES] times the longest pass of a scenario, after a lead-in of one pass: by then users are everywhere in
 * it. The fastest stack's longer slices have whole seconds. The others have theirs doubled, so that fast stacks have
 * many short slices beside a slow one, and every slice of a slow stack is in a round with one of each faster. The
 * slices of a stack together are no longer than the load. Streams that may have no end are not cut: they would begin
 * anew in each slice, and none of those that began in its lead-in would end.
 */
internal fun slicingsOf(situation: Situation, rule: RoundsRule, typicalNanos: List<Long>): List<Slicing> {
    if (situation.isEndless) return typicalNanos.map { Slicing(1) }
    return slicingsOf(situation.load, rule, typicalNanos.map { typical ->
        val pass = situation.scenarios.maxOfOrNull { it.passNanos(typical) } ?: 0
        Need(
            maxOf(rule.sliceNanos, MIN_LATENCIES * typical, MIN_PASSES * pass),
            maxOf(leadInNanos(rule, typical), pass),
        )
    })
}

/** What the slices of a stack need: so long each, after so long a lead-in. */
private class Need(val sliceNanos: Long, val leadInNanos: Long)

private fun slicingsOf(load: Load, rule: RoundsRule, needs: List<Need>): List<Slicing> {
    val whole = load.lengthNanos?.takeIf { load.part(it, 0) != null } ?: return needs.map { Slicing(1) }
    val shortest = needs.minOf { it.sliceNanos }
    val base = if (shortest == rule.sliceNanos) shortest else (shortest + SECOND - 1) / SECOND * SECOND
    val parts = (whole / base).toInt()
    return needs.map { need ->
        val stride = generateSequence(1) { it * 2 }.first { it > parts || it * base >= need.sliceNanos }
        when {
            parts < 2 -> Slicing(1, whole, need.leadInNanos)
            stride * 2 > parts -> Slicing(parts, whole, need.leadInNanos, stride = parts)
            else -> Slicing(parts, stride * base, need.leadInNanos, stride)
        }
    }
}

/** Time after which a load with requests of [typicalNanos] is as it will be, if [rule] sets the least. */
internal fun leadInNanos(rule: RoundsRule, typicalNanos: Long): Long =
    maxOf(rule.leadInNanos, LEAD_IN_LATENCIES * typicalNanos)

/** With fewer, the requests that reach over the ends of a slice are a large part of it. */
private const val MIN_LATENCIES = 20L

/** Of fewer, those that are cut at the end are a large part. */
private const val MIN_PASSES = 5L

/** By then every user of a closed load is in a second request. */
private const val LEAD_IN_LATENCIES = 2L
private const val SECOND = 1_000_000_000L
