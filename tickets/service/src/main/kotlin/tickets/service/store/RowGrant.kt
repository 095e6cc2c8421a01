package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import java.util.UUID

/**
 * Grants one ask as an application does that has no function in the database: take the seats off the event if there are as many, then write
 * the reservation, in this session's transaction. Two statements where all goes well, which is as few as it can be.
 */
internal fun Session.grantRow(request: SeatRequest): Answer {
    if (!takeSeats(request)) {
        known(request)?.let { return it }
        // Holds that are over are for sale; they are given back by whoever needs them. Others may have given back meanwhile, too.
        if (!lockNumber(request.event)) return Answer.NoSuchEvent
        val over = expire(request.event, request.seats.count.toLong())
        if (over.seats > 0) addSeats(request.event, over.seats)
        if (!takeSeats(request)) return known(request) ?: Answer.TooFewSeats(remaining(request.event))
    }
    return insert(request) ?: run {
        // The key is known: whatever its answer is, nothing is taken for it.
        rollback()
        checkNotNull(known(request)) { "${request.key} was known and is not" }
    }
}

/** Null where the key is known. Waits for whoever writes the same key. */
internal fun Session.insert(request: SeatRequest): Answer.Granted? {
    val id = newReservationId()
    return written(request, id, dialect.ifKeyExistsSkip)?.takeIf { it.id == id }?.let { Answer.Granted(it, isRepeat = false) }
}

/** Writes the reservation, and gives back the one that is there where the key is known. Null without the event. */
internal fun Session.insertOrFind(request: SeatRequest): Reservation? = written(request, newReservationId(), dialect.ifKeyExistsReturn)

/** A hold of the event's length. The row that stands there afterwards; null where none is told. */
private fun Session.written(request: SeatRequest, id: UUID, orElse: String): Reservation? = first(
    "$INSERT ${dialect.holdEnd} from event e where e.id = ? $orElse $WRITTEN",
    id, request.event.number, request.key.text, request.seats.count, request.user, request.event.number, read = ::reservation,
)

/** What is told to a key that is known; null where it is not. */
internal fun Session.known(request: SeatRequest): Answer? =
    first("select ${dialect.reservation} from reservation r where r.idempotency_key = ?", request.key.text, read = ::reservation)
        ?.let { LedgerView(0, mapOf(request.key to it)).answer(request) }

/**
 * Writes down which holds of [event] are over, up to [limit] of them: after a great rush there may be hundreds of thousands, too many for
 * one transaction. Each had a seat or more, so as many as there are seats wanted are enough. Whoever calls this gives their seats back.
 * Reservations are locked in the order of their ends, for others may be at it, too.
 */
internal fun Session.expire(event: EventId, limit: Long): ExpiredHolds {
    if (limit <= 0) return ExpiredHolds(emptyList(), 0)
    val over = all(
        "select id, seats from reservation where event = ? and state = 'HELD' and expires_at <= ${dialect.clock} " +
            "order by expires_at, id limit ? for update",
        event.number, limit,
    ) { it.getObject("id", UUID::class.java) to it.getInt("seats") }
    val holds = over.map { it.first }
    if (holds.isNotEmpty()) change("update reservation set state = 'EXPIRED', ended_at = expires_at where id (?*)", holds)
    return ExpiredHolds(holds, over.sumOf { it.second })
}

/** Holds that ended, which had so many [seats] in all. */
internal class ExpiredHolds(val holds: List<UUID>, val seats: Int)

/** False where nothing was taken. Waits for whoever has the row. */
private fun Session.takeSeats(request: SeatRequest): Boolean {
    val seats = request.seats.count
    return change(TAKE, seats, request.event.number, seats) == 1
}

/** Asked under the lock, so it was true when it is told. */
private fun Session.remaining(event: EventId): Int = first("select remaining from event where id = ?", event.number) { it.getInt(1) }!!

private const val TAKE = "update event set remaining = remaining - ? where id = ? and remaining >= ? and seats = 'A_NUMBER'"

private const val INSERT = """insert into reservation (id, event, idempotency_key, seats, state, caller, expires_at)
    select ?, ?, ?, ?, 'HELD', ?,"""

private const val WRITTEN = "returning id, event, idempotency_key, seats, state, expires_at, caller"
