package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.Books
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import java.util.UUID

/**
 * Grants one ask as an application does that has no function in the database: take the seats off the event if there are as many, then write
 * the reservation, in this session's transaction. Two statements where all goes well, which is as few as it can be.
 */
internal fun Session.grantRow(ask: Ask): Answer {
    if (!takeSeats(ask)) {
        known(ask)?.let { return it }
        // Holds that are over are for sale; they are given back by whoever needs them. Others may have given back meanwhile, too.
        if (!lockNumber(ask.event)) return Answer.NoSuchEvent
        val over = expire(ask.event, ask.seats.count.toLong())
        if (over.seats > 0) addSeats(ask.event, over.seats)
        if (!takeSeats(ask)) return known(ask) ?: Answer.TooFewSeats(remaining(ask.event))
    }
    return insert(ask) ?: run {
        // The key is known: whatever its answer is, nothing is taken for it.
        rollback()
        checkNotNull(known(ask)) { "${ask.key} was known and is not" }
    }
}

/** Null where the key is known. Waits for whoever writes the same key. */
internal fun Session.insert(ask: Ask): Answer.Granted? {
    val id = newReservationId()
    return written(ask, id, dialect.orNothing)?.takeIf { it.id == id }?.let { Answer.Granted(it, isRepeat = false) }
}

/** Writes the reservation, and gives back the one that is there where the key is known. Null without the event. */
internal fun Session.insertOrFind(ask: Ask): Reservation? = written(ask, newReservationId(), dialect.orItself)

/** A hold of the event's length. The row that stands there afterwards; null where none is told. */
private fun Session.written(ask: Ask, id: UUID, orElse: String): Reservation? = first(
    "$INSERT ${dialect.holdEnd} from event e where e.id = ? $orElse $WRITTEN",
    id, ask.event.number, ask.key.text, ask.seats.count, ask.user, ask.event.number, read = ::reservation,
)

/** What is told to a key that is known; null where it is not. */
internal fun Session.known(ask: Ask): Answer? =
    first("select ${dialect.reservation} from reservation r where r.idempotency_key = ?", ask.key.text, read = ::reservation)
        ?.let { Books(0, mapOf(ask.key to it)).answer(ask) }

/**
 * Writes down which holds of [event] are over, up to [most] of them: after a great rush there may be hundreds of thousands, too many for
 * one transaction. Each had a seat or more, so as many as there are seats wanted are enough. Whoever calls this gives their seats back.
 * Reservations are locked in the order of their ends, for others may be at it, too.
 */
internal fun Session.expire(event: EventId, most: Long): Over {
    if (most <= 0) return Over(emptyList(), 0)
    val over = all(
        "select id, seats from reservation where event = ? and state = 'HELD' and expires_at <= ${dialect.clock} " +
            "order by expires_at, id limit ? for update",
        event.number, most,
    ) { it.getObject("id", UUID::class.java) to it.getInt("seats") }
    val holds = over.map { it.first }
    if (holds.isNotEmpty()) change("update reservation set state = 'EXPIRED', ended_at = expires_at where id (?*)", holds)
    return Over(holds, over.sumOf { it.second })
}

/** Holds that ended, which had so many [seats] in all. */
internal class Over(val holds: List<UUID>, val seats: Int)

/** False where nothing was taken. Waits for whoever has the row. */
private fun Session.takeSeats(ask: Ask): Boolean {
    val seats = ask.seats.count
    return change(TAKE, seats, ask.event.number, seats) == 1
}

/** Asked under the lock, so it was true when it is told. */
private fun Session.remaining(event: EventId): Int = first("select remaining from event where id = ?", event.number) { it.getInt(1) }!!

private const val TAKE = "update event set remaining = remaining - ? where id = ? and remaining >= ? and seats = 'A_NUMBER'"

private const val INSERT = """insert into reservation (id, event, idempotency_key, seats, state, caller, expires_at)
    select ?, ?, ?, ?, 'HELD', ?,"""

private const val WRITTEN = "returning id, event, idempotency_key, seats, state, expires_at, caller"
