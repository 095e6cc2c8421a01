package threadgauge.tickets.history

import threadgauge.tickets.rules.ReservationState

/**
 * How many seats could have been taken at a moment, at most: from when a grant was asked for to when its end was told. A grant took effect
 * at some moment between call and answer, and so did its end; here the earliest of the one and the latest of the other count.
 */
internal class SeatsTaken(history: History) {
    /** Moments at which the number changes, in order, and the number from then on. */
    private val moments: LongArray
    private val most: RangeMaximum

    init {
        val ends = history.calls.filterIsInstance<Call.End>()
            .filter { it.done == true && it.how == ReservationState.RELEASED }
            .groupBy { it.reservation }.mapValues { (_, calls) -> calls.minOf { it.endNanos ?: Long.MAX_VALUE } }
        val asked = history.reserves.groupBy { it.key }.mapValues { (_, calls) -> calls.minOf { it.beginNanos } }
        val changes = history.entries.flatMap { entry ->
            val begin = asked[entry.key] ?: return@flatMap emptyList()
            // Released by a call without an answer: nobody knows when, so it may have kept its seats to the end.
            val end = if (entry.state.takesSeats) null else entry.endedNanos ?: ends[entry.id]
            listOfNotNull(Change(begin, entry.seats), end?.let { Change(it, -entry.seats) })
        }.sortedWith(compareBy({ it.atNanos }, { -it.seats }))
        moments = LongArray(changes.size) { changes[it].atNanos }
        var taken = 0L
        most = RangeMaximum(LongArray(changes.size) { i -> taken += changes[i].seats; taken })
    }

    /** From [beginNanos] to [endNanos], both included. */
    fun maxBetween(beginNanos: Long, endNanos: Long): Long {
        // What was taken last before the begin is still taken at the begin, unless something changed at that very moment.
        val first = firstFrom(beginNanos) - 1
        val last = firstFrom(if (endNanos == Long.MAX_VALUE) endNanos else endNanos + 1) - 1
        return if (last < 0) 0 else maxOf(if (first < 0) 0 else Long.MIN_VALUE, most.of(maxOf(first, 0), last))
    }

    private fun firstFrom(nanos: Long): Int {
        var low = 0
        var high = moments.size
        while (low < high) {
            val middle = (low + high) ushr 1
            if (moments[middle] >= nanos) high = middle else low = middle + 1
        }
        return low
    }

    private class Change(val atNanos: Long, val seats: Int)
}

/** Largest of neighbouring values, for any range in two steps: the largest of every 1, 2, 4, 8 … neighbours is kept. */
internal class RangeMaximum(values: LongArray) {
    private val levels = generateSequence(1 to values) { (width, below) ->
        if (below.size <= width) null else 2 * width to LongArray(below.size - width) { maxOf(below[it], below[it + width]) }
    }.map { it.second }.toList()

    /** From [first] to [last], both included; they must be within the values. */
    fun of(first: Int, last: Int): Long {
        val level = 31 - Integer.numberOfLeadingZeros(last - first + 1)
        return maxOf(levels[level][first], levels[level][last - (1 shl level) + 1])
    }
}
