package threadgauge.tickets.history

import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import java.util.UUID

/** One call as its caller saw it. Times are the callers' common clock, in nanoseconds; [endNanos] is null where no answer ever came. */
sealed interface Call {
    val beginNanos: Long
    val endNanos: Long?

    /** Asked for [seats] with [key]. */
    data class Reserve(
        override val beginNanos: Long,
        override val endNanos: Long?,
        val key: IdempotencyKey,
        val seats: Int,
        val result: ReserveResult,
    ) : Call

    /** Asked for the end of a hold. [done] is null where the caller does not know. */
    data class End(
        override val beginNanos: Long,
        override val endNanos: Long?,
        val reservation: UUID,
        val how: ReservationState,
        val done: Boolean?,
    ) : Call
}

/** What a caller was told about an ask for seats. */
sealed interface ReserveResult {
    data class Granted(val reservation: UUID) : ReserveResult

    /** Too few seats. */
    data object SoldOut : ReserveResult

    /** An answer that says that nothing was done: 400, 404, 422, 503 before anything was tried. */
    data object Rejected : ReserveResult

    /** No answer, or one that says that nobody knows. */
    data object Unknown : ReserveResult
}

/** A reservation as it stands in the books at the end. [endedNanos] is when a hold ended by itself, by the callers' clock. */
data class LedgerEntry(
    val id: UUID,
    val key: IdempotencyKey,
    val seats: Int,
    val state: ReservationState,
    val endedNanos: Long? = null,
)

/** The books at one moment, as one transaction saw them. */
data class LedgerSnapshot(val remaining: Int, val held: Int, val confirmed: Int)

/** Everything that is known of the sale of one event with [capacity] seats. */
data class History(val capacity: Int, val calls: List<Call>, val entries: List<LedgerEntry>, val snapshots: List<LedgerSnapshot> = emptyList())
