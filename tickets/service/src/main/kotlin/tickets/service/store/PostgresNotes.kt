package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.Reservation
import java.sql.Connection

/** Writes the reservation and takes nothing off the event, as the published experiment did. The seats that are taken may be too many. */
internal fun Connection.writeUnchecked(ask: Ask): Reservation = prepareStatement(WRITE).use { statement ->
    val id = newReservationId()
    statement.setObject(1, id)
    statement.setLong(2, ask.event.number)
    statement.setString(3, ask.key.text)
    statement.setInt(4, ask.seats.count)
    statement.setString(5, ask.user)
    statement.setLong(6, ask.event.number)
    statement.executeQuery().use { row ->
        check(row.next()) { "event ${ask.event} is not in the books" }
        row.reservation()
    }
}

/** Where the key is known, its reservation is changed in nothing, so that it comes back. */
private const val WRITE = """insert into reservation (id, event, key, seats, state, caller, expires_at)
    select ?, ?, ?, ?, 'HELD', ?, clock_timestamp() + e.hold from event e where e.id = ?
    on conflict (key) do update set key = excluded.key returning id, event, key, seats, state, expires_at"""
