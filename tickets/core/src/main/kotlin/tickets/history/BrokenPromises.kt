package threadgauge.tickets.history

import java.util.UUID
import threadgauge.tickets.rules.ReservationState

/** A broken promise, with the facts that prove it. */
data class BrokenPromise(val promise: Promise, val description: String)

/** What clients may rely on. */
enum class Promise(val description: String) {
    NO_OVERSELL("no more seats are taken than exist"),
    DURABLE("what was granted is in the ledger"),
    ONCE("a key has one reservation, however often it is sent"),
    NOTHING_UNREQUESTED("every reservation in the ledger was requested and not rejected"),
    TRUE_SOLD_OUT("sold out is only answered if the seats could not be granted"),
    BALANCED("remaining, held and confirmed seats add up to the capacity at every moment"),
    ENDED("a hold that was ended stays ended, in the way that was answered"),
}

/**
 * Finds every promise that [history] breaks. Takes O(n log n) steps for n calls, so a million calls are checked in
 * seconds. It does not detect a wrong order of concurrent calls if each answer was possible at some moment of its call.
 */
fun brokenPromises(history: History): List<BrokenPromise> =
    oversold(history) + lostAndDoubled(history) + unrequested(history) + untrueSoldOut(history) + unbalanced(history) +
        wronglyEnded(history)

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
        (call.result as? ReserveResult.Granted)?.let { lostOrDoubled(call, it.reservation, byKey[call.key].orEmpty()) }
    }
}

/**
 * [entries] are the reservations of the call's key in the ledger. Null if [granted] is one of them as it was granted.
 */
private fun lostOrDoubled(call: Call.Reserve, granted: UUID, entries: List<LedgerEntry>): BrokenPromise? {
    val entry = entries.firstOrNull { it.id == granted }
    return when {
        entries.isEmpty() ->
            BrokenPromise(Promise.DURABLE, "${call.key} was granted ${call.seats} seats and is not in the ledger")
        entry == null ->
            BrokenPromise(Promise.ONCE, "${call.key} was granted $granted, but the ledger has ${entries.first().id}")
        entry.seats != call.seats -> BrokenPromise(
            Promise.DURABLE, "${call.key} was granted ${call.seats} seats, but the ledger has ${entry.seats}",
        )
        else -> null
    }
}

private fun unrequested(history: History): List<BrokenPromise> {
    val possible = history.reserves
        .filter { it.result is ReserveResult.Granted || it.result == ReserveResult.Unknown }
        .map { it.key }.toSet()
    val requested = history.reserves.map { it.key }.toSet()
    return history.entries.filter { it.key !in possible }.map {
        val why = if (it.key in requested) "was rejected" else "never requested any"
        BrokenPromise(Promise.NOTHING_UNREQUESTED, "${it.key} has ${it.seats} seats, but $why")
    }
}

private fun untrueSoldOut(history: History): List<BrokenPromise> {
    val rejections = history.reserves.filter { it.result == ReserveResult.SoldOut }
    if (rejections.isEmpty()) return emptyList()
    val taken = SeatsTaken(history)
    return rejections.mapNotNull { call ->
        val max = taken.maxBetween(call.beginNanos, call.endNanos ?: Long.MAX_VALUE)
        if (history.capacity - max < call.seats) null else
            BrokenPromise(
                Promise.TRUE_SOLD_OUT,
                "${call.key} was answered that ${call.seats} seats are too many, " +
                    "while at most $max of ${history.capacity} could be taken",
            )
    }
}

private fun unbalanced(history: History): List<BrokenPromise> = history.snapshots
    .filter { it.remaining < 0 || it.remaining + it.held + it.confirmed != history.capacity }
    .distinct()
    .map {
        val seats = "${it.remaining} remaining, ${it.held} held and ${it.confirmed} confirmed"
        BrokenPromise(Promise.BALANCED, "$seats do not add up to the capacity of ${history.capacity}")
    }

private fun wronglyEnded(history: History): List<BrokenPromise> {
    val states: Map<UUID, ReservationState> = history.entries.associate { it.id to it.state }
    return history.calls.filterIsInstance<Call.End>().mapNotNull { call ->
        val state = states[call.reservation]
        // Releasing an expired hold succeeds.
        val isReleasedAsExpired = call.how == ReservationState.RELEASED && state == ReservationState.EXPIRED
        when {
            call.done == true && state != call.how && !isReleasedAsExpired -> BrokenPromise(
                Promise.ENDED,
                "${call.reservation} was answered to be ${call.how}, but in the ledger it is ${state ?: "missing"}",
            )
            // A final state never changes: a hold that could not be ended in one way must have ended in another.
            call.done == false && (state == call.how || state == ReservationState.HELD) -> BrokenPromise(
                Promise.ENDED,
                "${call.reservation} was answered to have ended before it could be ${call.how}, " +
                    "but in the ledger it is $state",
            )
            else -> null
        }
    }
}

internal val History.reserves: List<Call.Reserve> get() = calls.filterIsInstance<Call.Reserve>()
