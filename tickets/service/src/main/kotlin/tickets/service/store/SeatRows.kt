package threadgauge.tickets.service.store

import java.util.UUID
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.SeatRequest

/**
 * Grants one request from seats that are rows, in the session's transaction. Rows that another transaction has locked
 * are skipped, so no request waits while there are seats for all.
 *
 * Near the end that changes. Locked rows are not sold yet, so a request must not be answered with "too few seats"
 * because of them. It waits for them instead.
 */
internal fun Session.grantSeatRows(request: SeatRequest): Answer {
    take(request, SKIP)?.let { return it }
    while (true) {
        known(request)?.let { return it }
        val areAllFreed = freeExpired(request)
        val free = freeSeats(request)
        // The key may be known by now: a transaction that had locked the last seats may have had the same key.
        if (free < request.seats.count && areAllFreed) return known(request) ?: tooFew(request.event, free)
        rollback()
        // All that wait lock rows in ascending order, and hold nothing that a skipping transaction would wait for.
        take(request, CHOOSE)?.let { return it }
    }
}

/** Inserts the seat rows of a new event. */
internal fun Session.makeSeatRows(event: EventId, capacity: Int) {
    if (capacity <= 0) return
    change("insert into seat (event, number) select ?, n.* from (${dialect.numbers(capacity)}) n", event.number)
}

/** Null if there were too few rows, of which none is kept. A known key takes none either. */
private fun Session.take(request: SeatRequest, choose: String): Answer? {
    val numbers = all(choose, request.event.number, request.seats.count) { it.getInt(1) }
    if (numbers.size < request.seats.count) {
        rollback()
        return null
    }
    val granted = insert(request) ?: run {
        rollback()
        return checkNotNull(known(request)) { "key ${request.key} existed and is gone" }
    }
    val id = granted.reservation.id
    change("update seat set reservation = ? where event = ? and number (?*)", id, request.event.number, numbers)
    return granted
}

/** An event without seat rows is not sold by this strategy. */
private fun Session.tooFew(event: EventId, free: Int): Answer =
    if (hasRows(event)) Answer.TooFewSeats(free) else Answer.NoSuchEvent

private fun Session.hasRows(event: EventId): Boolean =
    first("select 1 from event where id = ? and seats = '${SeatStorage.ROWS.column}'", event.number) { true } ?: false

/**
 * Frees the seats of some expired holds, in a transaction of its own, because nothing may be locked while a transaction
 * waits for seats. False if there may be more, since others may have locked some of those that were found.
 */
private fun Session.freeExpired(request: SeatRequest): Boolean {
    if (!hasRows(request.event)) return true
    val limit = maxOf(request.seats.count, MAX_EXPIRED)
    val expired = expire(request.event, limit.toLong()).holds
    if (expired.isNotEmpty()) free(expired)
    commit()
    return expired.size < limit
}

/** Frees the seats of these reservations. */
internal fun Session.free(reservations: List<UUID>) =
    change("update seat set reservation = null where reservation (?*)", reservations)

/** Seats without a reservation, including locked ones; counts up to the number requested. */
private fun Session.freeSeats(request: SeatRequest): Int =
    first(FREE, request.event.number, request.seats.count) { it.getInt(1) }!!

/**
 * Holds that expire in one transaction: far more than one request needs, so that few must do it; takes milliseconds.
 */
private const val MAX_EXPIRED = 1_000
private const val CHOOSE =
    "select number from seat where event = ? and reservation is null order by number limit ? for update"
private const val SKIP = "$CHOOSE skip locked"
private const val FREE =
    "select count(*) from (select 1 as one from seat where event = ? and reservation is null limit ?) s"
