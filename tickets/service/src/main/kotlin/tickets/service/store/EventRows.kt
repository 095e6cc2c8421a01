package threadgauge.tickets.service.store

import java.time.Instant
import kotlin.time.Duration
import threadgauge.tickets.rules.EventId

/** What an event is for, as its row says. [OVER] is a rehearsal that has ended. */
internal enum class EventKind { SALE, REHEARSAL, OVER }

/** Only [SeatStorage.COUNTER] stores the number of seats that remain. */
internal fun Session.openEvent(
    name: String,
    capacity: Int,
    seats: SeatStorage,
    hold: Duration,
    kind: EventKind,
): EventId {
    val values = arrayOf<Any>(
        name, capacity, if (seats == SeatStorage.COUNTER) capacity else 0, hold.inWholeMilliseconds / 1e3, kind.name,
        seats.column,
    )
    val insert =
        "insert into event (name, capacity, remaining, hold, kind, seats) values (?, ?, ?, ${dialect.holdValue}, ?, ?)"
    if (dialect.hasReturning) return first("$insert returning id", *values) { EventId(it.getLong("id")) }!!
    change(insert, *values)
    // Of this session, whatever others insert meanwhile.
    return first("select last_insert_id() as id") { EventId(it.getLong("id")) }!!
}

/** A transaction that locks an event and reservations of it must lock the event first. */
internal fun Session.lock(event: EventId) {
    first("select id from event where id = ? for update", event.number) { }
}

/** As [lock]; false if there is no such event, or its seats are not a counter. */
internal fun Session.lockCounter(event: EventId): Boolean =
    first("select id from event where id = ? and $HAS_COUNTER for update", event.number) { true } ?: false

/** False if the event's seats are not a counter; then nothing was added. */
internal fun Session.addSeats(event: EventId, seats: Int): Boolean =
    change("update event set remaining = remaining + ? where id = ? and $HAS_COUNTER", seats, event.number) == 1

/** Rehearsals that were opened before [time] by the database's clock and have not ended. */
internal fun Session.rehearsalsBefore(time: Instant): List<EventId> =
    all("select id from event where kind = 'REHEARSAL' and opened_at < ?", time) { EventId(it.getLong("id")) }

/** Keeps the event's row, so that its number is never used again. Does nothing for an event on sale. */
internal fun Session.endRehearsal(id: EventId) {
    val rehearsals = change(
        "update event set kind = 'OVER', capacity = 0, remaining = 0 where id = ? and kind = 'REHEARSAL'", id.number,
    )
    if (rehearsals == 1) REMOVE.forEach { change(it, id.number) }
}

/** Condition on an event without alias. The value is [SeatStorage.COUNTER]. */
internal const val HAS_COUNTER = "seats = 'A_NUMBER'"

/** Held and other reservations in two statements, because each has its own index. */
private val REMOVE = listOf(
    "delete from seat where event = ?",
    "delete from reservation where event = ? and state = 'HELD'",
    "delete from reservation where event = ? and state <> 'HELD'",
)
