package threadgauge.tickets.history

import threadgauge.tickets.rules.ReservationState
import java.util.UUID

/** A promise that was broken, in words. */
data class BrokenPromise(val promise: Promise, val words: String)

/** What callers may rely on. */
enum class Promise(val words: String) {
    NO_OVERSELL("no more seats are taken than there are"),
    DURABLE("what was granted is in the books"),
    ONCE("a key has one reservation, however often it is asked with"),
    NOTHING_UNREQUESTED("every reservation in the books was asked for, and not refused"),
    TRUE_SOLD_OUT("sold out is told only where the seats really could not be granted"),
    BALANCED("remaining, held and confirmed seats are the capacity at every moment"),
    ENDED("a hold that was ended is ended, in the way that was told"),
}

/**
 * Every promise that [history] breaks. It takes n log n steps for n calls, so that a million of them are judged in seconds; what it does
 * not see is a wrong order among calls that went on at the same time, as long as each answer could have been true at some moment of its
 * call.
 */
fun brokenPromises(history: History): List<BrokenPromise> =
    oversold(history) + lostAndDoubled(history) + unasked(history) + untrueSoldOut(history) + unbalanced(history) + wronglyEnded(history)

private fun oversold(history: History): List<BrokenPromise> {
    val taken = history.entries.filter { it.state.takesSeats }.sumOf { it.seats.toLong() }
    return if (taken <= history.capacity) emptyList() else
        listOf(BrokenPromise(Promise.NO_OVERSELL, "$taken seats are taken, of ${history.capacity}"))
}

private fun lostAndDoubled(history: History): List<BrokenPromise> {
    val byKey = history.entries.groupBy { it.key }
    val doubled = byKey.filterValues { it.size > 1 }
        .map { (key, entries) -> BrokenPromise(Promise.ONCE, "$key has ${entries.size} reservations") }
    return doubled + history.reserves.mapNotNull { call ->
        val granted = call.result as? ReserveResult.Granted ?: return@mapNotNull null
        val entries = byKey[call.key].orEmpty()
        when {
            entries.isEmpty() -> BrokenPromise(Promise.DURABLE, "${call.key} was granted ${call.seats} seats and is not in the books")
            entries.none { it.id == granted.reservation } ->
                BrokenPromise(Promise.ONCE, "${call.key} was granted ${granted.reservation}, but the books have ${entries.first().id}")
            entries.first { it.id == granted.reservation }.seats != call.seats ->
                BrokenPromise(Promise.DURABLE, "${call.key} was granted ${call.seats} seats, but the books say ${entries.first().seats}")
            else -> null
        }
    }
}

private fun unasked(history: History): List<BrokenPromise> {
    val possible = history.reserves.filter { it.result is ReserveResult.Granted || it.result == ReserveResult.Unknown }
        .map { it.key }.toSet()
    val asked = history.reserves.map { it.key }.toSet()
    return history.entries.filter { it.key !in possible }.map {
        BrokenPromise(Promise.NOTHING_UNREQUESTED, "${it.key} has ${it.seats} seats, but " + if (it.key in asked) "was refused" else "never asked")
    }
}

private fun untrueSoldOut(history: History): List<BrokenPromise> {
    val refusals = history.reserves.filter { it.result == ReserveResult.SoldOut }
    if (refusals.isEmpty()) return emptyList()
    val taken = SeatsTaken(history)
    return refusals.mapNotNull { call ->
        val most = taken.maxBetween(call.beginNanos, call.endNanos ?: Long.MAX_VALUE)
        if (history.capacity - most < call.seats) null else
            BrokenPromise(
                Promise.TRUE_SOLD_OUT,
                "${call.key} was told that ${call.seats} seats are too many, while at most $most of ${history.capacity} could be taken",
            )
    }
}

private fun unbalanced(history: History): List<BrokenPromise> =
    history.snapshots.filter { it.remaining < 0 || it.remaining + it.held + it.confirmed != history.capacity }.distinct().map {
        BrokenPromise(
            Promise.BALANCED,
            "${it.remaining} remaining, ${it.held} held and ${it.confirmed} confirmed are not the ${history.capacity} that there are",
        )
    }

private fun wronglyEnded(history: History): List<BrokenPromise> {
    val states: Map<UUID, ReservationState> = history.entries.associate { it.id to it.state }
    return history.calls.filterIsInstance<Call.End>().mapNotNull { call ->
        val state = states[call.reservation]
        when {
            // A hold that is over by itself need not be given back any more.
            call.done == true && state != call.how && !(call.how == ReservationState.RELEASED && state == ReservationState.EXPIRED) ->
                BrokenPromise(Promise.ENDED, "${call.reservation} was told to be ${call.how}, but the books say ${state ?: "nothing"}")
            // An end is for good, so what was refused because it had ended otherwise has ended otherwise.
            call.done == false && (state == call.how || state == ReservationState.HELD) ->
                BrokenPromise(Promise.ENDED, "${call.reservation} was told to have ended before it could be ${call.how}, but the books say $state")
            else -> null
        }
    }
}

internal val History.reserves: List<Call.Reserve> get() = calls.filterIsInstance<Call.Reserve>()
