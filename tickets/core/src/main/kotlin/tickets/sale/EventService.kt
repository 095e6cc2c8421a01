package threadgauge.tickets.sale

import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import java.util.UUID
import kotlin.time.Duration

/** What is for sale, and how much of it is left. [remaining], [held] and [confirmed] were so at one moment, and make up the capacity. */
data class Event(
    val id: EventId,
    val name: String,
    val capacity: Int,
    /** How long a hold lasts unless it is confirmed. */
    val hold: Duration,
    val remaining: Int,
    val held: Int,
    val confirmed: Int,
)

/** Everything that callers do with a sale besides being granted seats. Each call is one transaction, and may fail as [Ledger]'s do. */
interface EventService {
    /** Opens the sale of [capacity] seats. */
    suspend fun open(name: String, capacity: Int, hold: Duration): EventId

    /** The events that were opened last, the newest first. Rehearsals are no events to anybody here. */
    suspend fun newest(limit: Int): List<Event>

    /** Null without that event. */
    suspend fun event(id: EventId): Event?

    /** Whether there is that event; quicker than to look at all that was sold of it. */
    suspend fun exists(id: EventId): Boolean = event(id) != null

    /** With its state of now; null where it is not in the books. */
    suspend fun reservation(id: UUID): Reservation?

    /** Null where it is not in the books. Against the hold's end, and against [release], one of them wins. */
    suspend fun confirm(id: UUID): Ending?

    /** Null where it is not in the books. Its seats are for sale again when this returns. */
    suspend fun release(id: UUID): Ending?
}
