package threadgauge.tickets.sale

import java.util.UUID
import kotlin.time.Duration
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation

/**
 * An event and its seats. [remaining], [held] and [confirmed] are counts of seats at one moment, and add up to
 * [capacity].
 */
data class Event(
    val id: EventId,
    val name: String,
    val capacity: Int,
    /** How long a hold lasts if it is not confirmed. */
    val hold: Duration,
    val remaining: Int,
    val held: Int,
    val confirmed: Int,
)

/**
 * All operations of a sale except granting seats. Each call is one transaction, and may fail with an exception as those
 * of [Ledger] do.
 */
interface EventService {
    /** Opens the sale of [capacity] seats. */
    suspend fun open(name: String, capacity: Int, hold: Duration): EventId

    /** The [limit] events opened last, newest first. Rehearsals are not listed. */
    suspend fun newest(limit: Int): List<Event>

    /** Null if there is no such event. */
    suspend fun event(id: EventId): Event?

    /** Whether the event exists. Cheaper than [event], which also counts the seats sold. */
    suspend fun exists(id: EventId): Boolean = event(id) != null

    /** The reservation with its current state; null if it is not in the ledger. */
    suspend fun reservation(id: UUID): Reservation?

    /**
     * Null if it is not in the ledger. If the hold expires or [release] is called at the same time, one of them wins.
     */
    suspend fun confirm(id: UUID): Ending?

    /** Null if it is not in the ledger. When this returns, the seats are for sale again. */
    suspend fun release(id: UUID): Ending?
}
