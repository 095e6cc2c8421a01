package threadgauge.tickets.history

import threadgauge.tickets.rules.ReservationState

/**
 * Upper limit of the seats taken at each moment. A grant took effect at some moment between its call and its answer,
 * and so did its end. For the limit, a grant counts from the begin of its call, and its end from the answer to the
 * release.
 */
internal class SeatsTaken(history: History) {
    /** Moments at which the number changes, in ascending order. */
    private val moments: LongArray
    private val max: RangeMaximum

    init {
        val ends = history.calls.filterIsInstance<Call.End>()
            .filter { it.done == true && it.how == ReservationState.RELEASED }
            .groupBy { it.reservation }.mapValues { (_, calls) -> calls.minOf { it.endNanos ?: Long.MAX_VALUE } }
        val requested = history.reserves.groupBy { it.key }.mapValues { (_, calls) -> calls.minOf { it.beginNanos } }
        val changes = history.entries.flatMap { entry ->
            val begin = requested[entry.key] ?: return@flatMap emptyList()
            // Released by a call without an answer: the moment is unknown, so the seats count as taken to the end.
            val end = if (entry.state.takesSeats) null else entry.endedNanos ?: ends[entry.id]
            listOfNotNull(Change(begin, entry.seats), end?.let { Change(it, -entry.seats) })
        }.sortedWith(compareBy({ it.atNanos }, { -it.seats }))
        moments = LongArray(changes.size) { changes[it].atNanos }
        var taken = 0L
        max = RangeMaximum(LongArray(changes.size) { i -> taken += changes[i].seats; taken })
    }

    /** Maximum from [beginNanos] to [endNanos], both included. */
    fun maxBetween(beginNanos: Long, endNanos: Long): Long {
        // The number of the last change before the begin still holds then, except if another change is at the begin.
        val first = firstFrom(beginNanos) - 1
        val last = firstFrom(if (endNanos == Long.MAX_VALUE) endNanos else endNanos + 1) - 1
        return if (last < 0) 0 else maxOf(if (first < 0) 0 else Long.MIN_VALUE, max.of(maxOf(first, 0), last))
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

/**
 * Maximum of any range of values in constant time, by a sparse table: it stores the maximum of every 1, 2, 4, 8 …
 * neighbours.
 */
internal class RangeMaximum(values: LongArray) {
    private val levels = generateSequence(1 to values) { (width, below) ->
        if (below.size <= width) null else
            2 * width to LongArray(below.size - width) { maxOf(below[it], below[it + width]) }
    }.map { it.second }.toList()

    /** Maximum from [first] to [last], both included and within the values. */
    fun of(first: Int, last: Int): Long {
        val level = 31 - Integer.numberOfLeadingZeros(last - first + 1)
        return maxOf(levels[level][first], levels[level][last - (1 shl level) + 1])
    }
}
