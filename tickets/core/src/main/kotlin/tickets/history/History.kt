package threadgauge.tickets.history

import java.util.UUID
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState

/**
 * One call as its client saw it. Times are nanoseconds of the clients' common clock. [endNanos] is null if no answer
 * arrived.
 */
sealed interface Call {
    val beginNanos: Long
    val endNanos: Long?

    /** A request for [seats] with [key]. */
    data class Reserve(
        override val beginNanos: Long,
        override val endNanos: Long?,
        val key: IdempotencyKey,
        val seats: Int,
        val result: ReserveResult,
    ) : Call

    /** A request to end a hold. [done] is null if the client does not know the outcome. */
    data class End(
        override val beginNanos: Long,
        override val endNanos: Long?,
        val reservation: UUID,
        val how: ReservationState,
        val done: Boolean?,
    ) : Call
}

/** Answer to a request for seats, as the client received it. */
sealed interface ReserveResult {
    data class Granted(val reservation: UUID) : ReserveResult

    /** Too few seats. */
    data object SoldOut : ReserveResult

    /** Nothing was done: 400, 404, 422, or 503 before any attempt. */
    data object Rejected : ReserveResult

    /** No answer, or one that says that the outcome is unknown. */
    data object Unknown : ReserveResult
}

/** A reservation in the ledger at the end. [endedNanos] is when a hold expired, by the clients' clock. */
data class LedgerEntry(
    val id: UUID,
    val key: IdempotencyKey,
    val seats: Int,
    val state: ReservationState,
    val endedNanos: Long? = null,
)

/** Seats of the event at one moment, as one transaction saw them. */
data class LedgerSnapshot(val remaining: Int, val held: Int, val confirmed: Int)

/** All that is known about the sale of one event with [capacity] seats. */
data class History(
    val capacity: Int,
    val calls: List<Call>,
    val entries: List<LedgerEntry>,
    val snapshots: List<LedgerSnapshot> = emptyList(),
)
