package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.Reservation
import java.sql.Connection

/**
 * Writes the reservation and takes nothing off the event, as the published experiment did. The seats that are taken may be too many. Where
 * the key is known, its reservation is changed in nothing, so that it comes back.
 */
internal fun Connection.writeUnchecked(ask: Ask): Reservation =
    checkNotNull(write(ask, "on conflict (key) do update set key = excluded.key")) { "event ${ask.event} is not in the books" }
