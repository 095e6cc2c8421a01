package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import java.util.UUID

/**
 * Grants one ask out of seats that are rows of their own, in this session's transaction. Rows that another has locked are skipped, so
 * nobody waits while there are seats enough for all. At the end that is different: rows that are locked are not sold yet, and who skips
 * them must not be told that they are. He waits for them then.
 */
internal fun Session.grantSeatRows(request: SeatRequest): Answer {
    take(request, SKIP)?.let { return it }
    while (true) {
        known(request)?.let { return it }
        val areAllFreed = freeExpired(request)
        val free = freeSeats(request)
        // Known after all: somebody who had the last seats locked may have had the same key.
        if (free < request.seats.count && areAllFreed) return known(request) ?: tooFew(request.event, free)
        rollback()
        // Everybody who waits does so in the order of numbers, and holds nothing that one who skips would wait for.
        take(request, CHOOSE)?.let { return it }
    }
}

/** Makes the rows of an event that has none. */
internal fun Session.makeSeatRows(event: EventId, capacity: Int) {
    if (capacity > 0) change("insert into seat (event, number) select ?, n.* from (${dialect.numbers(capacity)}) n", event.number)
}

/** Null where there were fewer rows to be had, of which none is kept. A key that is known takes none either. */
private fun Session.take(request: SeatRequest, choose: String): Answer? {
    val numbers = all(choose, request.event.number, request.seats.count) { it.getInt(1) }
    if (numbers.size < request.seats.count) {
        rollback()
        return null
    }
    val granted = insert(request) ?: run {
        rollback()
        return checkNotNull(known(request)) { "${request.key} was known and is not" }
    }
    change("update seat set reservation = ? where event = ? and number (?*)", granted.reservation.id, request.event.number, numbers)
    return granted
}

/** An event whose seats are a number is not sold by rows. */
private fun Session.tooFew(event: EventId, free: Int): Answer = if (hasRows(event)) Answer.TooFewSeats(free) else Answer.NoSuchEvent

private fun Session.hasRows(event: EventId): Boolean =
    first("select 1 from event where id = ? and seats = 'ROWS'", event.number) { true } ?: false

/**
 * Some holds that are over, in a transaction of their own: nothing may be locked while seats are waited for. False where there may be more
 * of them, since others may have had those that were found.
 */
private fun Session.freeExpired(request: SeatRequest): Boolean {
    if (!hasRows(request.event)) return true
    val limit = maxOf(request.seats.count, MAX_EXPIRED)
    val over = expire(request.event, limit.toLong()).holds
    if (over.isNotEmpty()) free(over)
    commit()
    return over.size < limit
}

/** Makes the seats of these reservations free. */
internal fun Session.free(reservations: List<UUID>) = change("update seat set reservation = null where reservation (?*)", reservations)

/** Rows without a holder, also those that somebody has locked and may take; counted up to what is asked for. */
private fun Session.freeSeats(request: SeatRequest): Int = first(FREE, request.event.number, request.seats.count) { it.getInt(1) }!!

/** Holds that are ended in one transaction: far more than one wish needs, so that not everybody must do it, and done in milliseconds. */
private const val MAX_EXPIRED = 1_000
private const val CHOOSE = "select number from seat where event = ? and reservation is null order by number limit ? for update"
private const val SKIP = "$CHOOSE skip locked"
private const val FREE = "select count(*) from (select 1 as one from seat where event = ? and reservation is null limit ?) s"
