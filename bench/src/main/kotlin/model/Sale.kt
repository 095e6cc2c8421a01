package threadgauge.model

import kotlinx.serialization.Serializable

/** What is sold in a situation. Before each of its loads an event with so many [seats] is opened, for which `{event}` stands. */
@Serializable
data class SaleTerms(val seats: Int)

/** Several events that are sold at one time: each request is for one of them, drawn by the number of the request. */
@Serializable
data class EventsOnSale(
    /** At least two. */
    val numbers: List<Long>,
    /** Share of the requests that is for the first event, above 0 and at most 1; the rest is spread evenly. Null: all are asked alike. */
    val hot: Double? = null,
)

/**
 * A program that reads the books of a sale and knows nothing of whoever sells: [command] and [folder] as those of a [Stack], with `{event}`
 * for the event. It prints one line of JSON, which is a [BooksOfSale], and ends with 0.
 */
@Serializable
data class Auditor(val command: List<String>, val folder: String, val module: String?)

/** What stands in the books of one event. */
@Serializable
data class BooksOfSale(
    /** That there are to sell. */
    val seats: Long,
    /** Seats of all reservations that hold. */
    val taken: Long,
    val reservations: Long,
    /** Idempotency keys of these reservations, each counted once. */
    val wishes: Long,
)

/** What was promised under one load on a sale, and what the books say of it. */
@Serializable
data class SaleAudit(
    val books: BooksOfSale,
    /** Answers that said "reserved" (status 201); null where keys repeat, because several of them then speak of one reservation. */
    val acknowledged: Long?,
) {
    /** Seats that were sold and are not there. */
    val oversold: Long get() = maxOf(0, books.taken - books.seats)

    /** Reservations that were promised and are not in the books; null where that cannot be counted. */
    val lost: Long? get() = acknowledged?.let { maxOf(0, it - books.wishes) }

    /** Reservations beyond the first for one wish. */
    val duplicated: Long get() = books.reservations - books.wishes

    /** Everything that was promised is true. */
    val isKept: Boolean get() = oversold == 0L && (lost ?: 0) == 0L && duplicated == 0L
}

/** Whether no two requests of a load can carry the same idempotency key. A request without the header gets a key of its own. */
val Request.hasOwnKeys: Boolean
    get() {
        val key = headers.entries.firstOrNull { it.key.equals(IDEMPOTENCY_KEY, ignoreCase = true) }?.value ?: return true
        return pieces(key).any { it is Piece.Sequence || it is Piece.Random && it.length >= SURELY_UNLIKE }
    }

/** The header by which a retry is known. */
const val IDEMPOTENCY_KEY = "Idempotency-Key"

/** Sixteen letters and digits have 95 bits: of a billion keys two are alike in one of 10¹⁰ loads. */
private const val SURELY_UNLIKE = 16
