package threadgauge.model

import kotlinx.serialization.Serializable

/**
 * What is sold in a situation. Before each of its loads so many [events] with [seats] each are opened, for which
 * `{event}` stands.
 */
@Serializable
data class SaleTerms(
    val seats: Int,
    val events: Int = 1,
    /** As [EventsOnSale.hot]. */
    val hot: Double? = null,
) {
    /** Of the requests that event number [index] gets on average, from 0 to 1. */
    fun shareOf(index: Int): Double = when {
        hot == null -> 1.0 / events
        index == 0 -> hot
        else -> (1 - hot) / (events - 1)
    }
}

/** Several events that are sold at one time: each request is for one of them, drawn by the number of the request. */
@Serializable
data class EventsOnSale(
    /** At least two. */
    val numbers: List<Long>,
    /**
     * Share of the requests that is for the first event, above 0 and at most 1; the rest is spread evenly. Null: all
     * are asked alike.
     */
    val hot: Double? = null,
)

/**
 * A program that reads the books of a sale and knows nothing of whoever sells: [command] and [folder] as those of a
 * [Stack], with `{event}` for the numbers of the events, a comma between two. It prints one line of JSON for each, in
 * that order, which is a [BooksOfSale], and ends with 0.
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
) {
    /** Seats that were sold and are not there. */
    val oversold: Long get() = maxOf(0, taken - seats)
}

/** What was promised under one load on a sale, and what the books say of it. */
@Serializable
data class SaleAudit(
    /** Of the first event, which is the hot one where one is. */
    val books: BooksOfSale,
    /**
     * Answers that said "reserved" (status 201), whatever the event; null where keys repeat, because several of them
     * then speak of one reservation.
     */
    val acknowledged: Long?,
    /** Of all other events of the load, in the order in which they were opened; empty where one was sold. */
    val others: List<BooksOfSale> = emptyList(),
) {
    val events: List<BooksOfSale> get() = listOf(books) + others
    val seats: Long get() = events.sumOf { it.seats }
    val reservations: Long get() = events.sumOf { it.reservations }

    /**
     * Seats that were sold and are not there. What one event has left does not make up for what another has sold too
     * many.
     */
    val oversold: Long get() = events.sumOf { it.oversold }

    /** Reservations that were promised and are not in the books of any event; null where that cannot be counted. */
    val lost: Long? get() = acknowledged?.let { promised -> maxOf(0, promised - events.sumOf { it.wishes }) }

    /** Reservations beyond the first for one wish. */
    val duplicated: Long get() = events.sumOf { it.reservations - it.wishes }

    /** Everything that was promised is true. */
    val isKept: Boolean get() = oversold == 0L && (lost ?: 0) == 0L && duplicated == 0L
}

/**
 * Whether no two requests of a load can carry the same idempotency key. A request without the header gets a key of its
 * own.
 */
val Request.hasOwnKeys: Boolean
    get() {
        val key =
            headers.entries.firstOrNull { it.key.equals(IDEMPOTENCY_KEY, ignoreCase = true) }?.value ?: return true
        return pieces(key).any { it is Piece.Sequence || it is Piece.Random && it.length >= SURELY_UNLIKE }
    }

/** The header by which a retry is known. */
const val IDEMPOTENCY_KEY = "Idempotency-Key"

/** Sixteen letters and digits have 95 bits: of a billion keys two are alike in one of 10¹⁰ loads. */
private const val SURELY_UNLIKE = 16
