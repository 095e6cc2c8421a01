package threadgauge.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import threadgauge.model.request.Piece
import threadgauge.model.request.Request
import threadgauge.model.request.pieces

/**
 * The terms of a sale. Before each load of the situation, [events] with [seats] each are opened, which replace
 * `{event}`.
 */
@Serializable
data class SaleTerms(
    val seats: Int,
    val events: Int = 1,
    /** As [EventsOnSale.hot]. */
    val hot: Double? = null,
) {
    /** Mean share of the requests for event number [index], from 0 to 1. */
    fun shareOf(index: Int): Double = when {
        hot == null -> 1.0 / events
        index == 0 -> hot
        else -> (1 - hot) / (events - 1)
    }
}

/** Several events on sale at the same time: each request is for one of them, drawn by the number of the request. */
@Serializable
data class EventsOnSale(
    /** At least two. */
    val numbers: List<Long>,
    /**
     * Share of the requests for the first event, above 0 and at most 1; the rest is spread evenly. Null: spread evenly
     * over all.
     */
    val hot: Double? = null,
)

/**
 * A program that reads the ledger of a sale, independently of the service: [command] and [folder] as in a [Stack], with
 * `{event}` for the comma-separated numbers of the events. It prints one line of JSON for each event, in that order,
 * which is a [SaleLedger], and exits with 0.
 */
@Serializable
data class Auditor(val command: List<String>, val folder: String, val module: String?)

/** The ledger of one event. */
@Serializable
data class SaleLedger(
    /** Seats on sale. */
    val seats: Long,
    /** Seats of all valid reservations. */
    val taken: Long,
    val reservations: Long,
    /** Idempotency keys of these reservations, each counted once. */
    val wishes: Long,
) {
    /** Seats sold beyond the capacity. */
    val oversold: Long get() = maxOf(0, taken - seats)
}

/** The acknowledged reservations of one load, and the ledger after it. */
@Serializable
data class SaleAudit(
    /** Ledger of the first event, which is the hot one if there is one. */
    @SerialName("books") val ledger: SaleLedger,
    /**
     * Answers with status 201, reserved, over all events; null where keys repeat, because several answers can then be
     * about one reservation.
     */
    val acknowledged: Long?,
    /** Ledgers of the other events of the load, in the order of opening; empty for one event. */
    val others: List<SaleLedger> = emptyList(),
) {
    val events: List<SaleLedger> get() = listOf(ledger) + others
    val seats: Long get() = events.sumOf { it.seats }
    val reservations: Long get() = events.sumOf { it.reservations }

    /** Seats sold beyond the capacity. Free seats of one event do not make up for oversold seats of another. */
    val oversold: Long get() = events.sumOf { it.oversold }

    /** Acknowledged reservations that are missing from the ledgers of all events; null where they cannot be counted. */
    val lost: Long? get() = acknowledged?.let { promised -> maxOf(0, promised - events.sumOf { it.wishes }) }

    /** Reservations beyond the first for one idempotency key. */
    val duplicated: Long get() = events.sumOf { it.reservations - it.wishes }

    /** All promises were kept. */
    val isKept: Boolean get() = oversold == 0L && (lost ?: 0) == 0L && duplicated == 0L
}

/** Whether each request of a load has its own idempotency key. A request without the header gets one. */
val Request.hasOwnKeys: Boolean
    get() {
        val key =
            headers.entries.firstOrNull { it.key.equals(IDEMPOTENCY_KEY, ignoreCase = true) }?.value ?: return true
        return pieces(key).any { it is Piece.Sequence || it is Piece.Random && it.length >= SURELY_UNLIKE }
    }

/** The header that identifies a retry. */
const val IDEMPOTENCY_KEY = "Idempotency-Key"

/** Sixteen letters and digits have 95 bits: among a billion keys, two are equal in one of 10¹⁰ loads. */
private const val SURELY_UNLIKE = 16
