package threadgauge.tickets.service.http

import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.sale.Event
import threadgauge.tickets.sale.EventService

/** A service with only event 1, and no other function. */
internal open class OneEventService : EventService {
    override suspend fun event(id: EventId): Event? =
        if (id == EventId(1)) Event(id, "sale", 1, 10.minutes, 1, 0, 0) else null

    override suspend fun open(name: String, capacity: Int, hold: Duration): EventId = unused()
    override suspend fun newest(limit: Int): List<Event> = unused()
    override suspend fun reservation(id: UUID): Reservation? = unused()
    override suspend fun confirm(id: UUID): Ending? = unused()
    override suspend fun release(id: UUID): Ending? = unused()

    private fun unused(): Nothing = error("not to be called")
}
