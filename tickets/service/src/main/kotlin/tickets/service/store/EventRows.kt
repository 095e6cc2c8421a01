package threadgauge.tickets.service.store

import threadgauge.tickets.rules.EventId
import java.time.Instant
import kotlin.time.Duration

/** What an event is for, by the words in the books. */
internal enum class EventKind { SALE, REHEARSAL, OVER }

/** Only of seats that are a number is the number of those that remain kept. */
internal fun Session.openEvent(name: String, capacity: Int, seats: SeatStorage, hold: Duration, kind: EventKind): EventId = first(
    "insert into event (name, capacity, remaining, hold, kind, seats) values (?, ?, ?, ${dialect.holdValue}, ?, ?) returning id",
    name, capacity, if (seats == SeatStorage.COUNTER) capacity else 0, hold.inWholeMilliseconds / 1e3, kind.name, seats.column,
) { EventId(it.getLong("id")) }!!

/** Everybody who locks an event and reservations of it locks the event first. */
internal fun Session.lock(event: EventId) {
    first("select id from event where id = ? for update", event.number) { }
}

/** Locks it like [lock]; false where there is no such event, or one whose seats are no number. */
internal fun Session.lockNumber(event: EventId): Boolean =
    first("select id from event where id = ? and seats = 'A_NUMBER' for update", event.number) { true } ?: false

/** False where seats are no number: nothing was added then. */
internal fun Session.addSeats(event: EventId, seats: Int): Boolean =
    change("update event set remaining = remaining + ? where id = ? and seats = 'A_NUMBER'", seats, event.number) == 1

/** Those that were opened before [statementTime] by the database's clock and not ended. */
internal fun Session.rehearsalsBefore(statementTime: Instant): List<EventId> =
    all("select id from event where kind = 'REHEARSAL' and opened_at < ?", statementTime) { EventId(it.getLong("id")) }

/** Its row stays, so that no other event is ever given its number. An event that is for sale is left as it is. */
internal fun Session.endRehearsal(id: EventId) {
    val rehearsals = change("update event set kind = 'OVER', capacity = 0, remaining = 0 where id = ? and kind = 'REHEARSAL'", id.number)
    if (rehearsals == 1) REMOVE.forEach { change(it, id.number) }
}

/** Of reservations those that are held and those that are not, because each kind has an index of its own. */
private val REMOVE = listOf(
    "delete from seat where event = ?",
    "delete from reservation where event = ? and state = 'HELD'",
    "delete from reservation where event = ? and state <> 'HELD'",
)
