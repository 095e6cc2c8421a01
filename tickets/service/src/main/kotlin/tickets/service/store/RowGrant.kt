package threadgauge.tickets.service.store

import java.util.UUID
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.SeatRequest

/**
 * Grants one request in the session's transaction, by plain statements: subtract the seats from the event if there are
 * enough, then insert the reservation. In the usual case these are two statements, the minimum.
 */
internal fun Session.grantRow(request: SeatRequest): Answer {
    if (!takeSeats(request)) {
        known(request)?.let { return it }
        // Seats of expired holds are for sale, and are given back when they are needed. Others may release some as
        // well.
        if (!lockCounter(request.event)) return Answer.NoSuchEvent
        val expired = expire(request.event, request.seats.count.toLong())
        if (expired.seats > 0) addSeats(request.event, expired.seats)
        if (!takeSeats(request)) return known(request) ?: Answer.TooFewSeats(remaining(request.event))
    }
    return insert(request) ?: run {
        // The key is known, so the seats are not taken.
        rollback()
        checkNotNull(known(request)) { "key ${request.key} existed and is gone" }
    }
}

/** Null if the key is known. Waits for a concurrent transaction with the same key. */
internal fun Session.insert(request: SeatRequest): Answer.Granted? {
    val id = newReservationId()
    return inserted(request, id, dialect.ifKeyExistsSkip)?.takeIf { it.id == id }
        ?.let { Answer.Granted(it, isRepeat = false) }
}

/** Inserts the reservation, or returns the existing one of a known key. Null if there is no such event. */
internal fun Session.insertOrFind(request: SeatRequest): Reservation? =
    inserted(request, newReservationId(), dialect.ifKeyExistsReturn)

/** Inserts a hold of the event's length. Returns the row with the key, or null if the database returns none. */
private fun Session.inserted(request: SeatRequest, id: UUID, ifKeyExists: String): Reservation? {
    val insert = "$INSERT ${dialect.holdEnd} from event e where e.id = ? $ifKeyExists"
    val event = request.event.number
    val values = arrayOf<Any?>(id, event, request.key.text, request.seats.count, request.user, event)
    if (dialect.hasReturning) return first("$insert returning $COLUMNS", *values, read = ::reservation)
    change(insert, *values)
    // A statement of its own sees what others committed while the insert waited for their key.
    return first(FIND, event, request.key.text, read = ::reservation)
}

/** The answer for a known key; null if the key is not known. */
internal fun Session.known(request: SeatRequest): Answer? {
    val sql = "select ${dialect.reservation} from reservation r where r.idempotency_key = ?"
    return first(sql, request.key.text, read = ::reservation)
        ?.let { LedgerView(0, mapOf(request.key to it)).answer(request) }
}

/**
 * Marks up to [limit] expired holds of [event] as such. After a rush there may be hundreds of thousands, too many for
 * one transaction. Each had at least one seat, so as many holds as seats are wanted suffice.
 *
 * The caller must give the seats back. Reservations are locked in the order of their ends, since others may do the
 * same.
 */
internal fun Session.expire(event: EventId, limit: Long): ExpiredHolds {
    if (limit <= 0) return ExpiredHolds(emptyList(), 0)
    val expired = all(
        "select id, seats from reservation where event = ? and state = 'HELD' and expires_at <= ${dialect.clock} " +
            "order by expires_at, id limit ? for update",
        event.number, limit,
    ) { it.getObject("id", UUID::class.java) to it.getInt("seats") }
    val holds = expired.map { it.first }
    if (holds.isNotEmpty()) {
        change("update reservation set state = 'EXPIRED', ended_at = expires_at where id (?*)", holds)
    }
    return ExpiredHolds(holds, expired.sumOf { it.second })
}

/** Holds that were marked as expired. [seats] is their sum. */
internal class ExpiredHolds(val holds: List<UUID>, val seats: Int)

/** False if there were too few. Waits for a concurrent transaction on the row. */
private fun Session.takeSeats(request: SeatRequest): Boolean {
    val seats = request.seats.count
    return change(TAKE, seats, request.event.number, seats) == 1
}

/** Read under the lock, so the answer is true. */
private fun Session.remaining(event: EventId): Int =
    first("select remaining from event where id = ?", event.number) { it.getInt(1) }!!

private const val TAKE =
    "update event set remaining = remaining - ? where id = ? and remaining >= ? and $HAS_COUNTER"

private const val INSERT = """insert into reservation (id, event, idempotency_key, seats, state, caller, expires_at)
    select ?, ?, ?, ?, 'HELD', ?,"""

private const val COLUMNS = "id, event, idempotency_key, seats, state, expires_at, caller"

/** Where there is no such event, nothing was inserted and nothing is found. */
private const val FIND =
    "select $COLUMNS from reservation where exists (select 1 from event e where e.id = ?) and idempotency_key = ?"
