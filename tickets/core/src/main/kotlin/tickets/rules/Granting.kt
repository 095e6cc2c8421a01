package threadgauge.tickets.rules

/** The wish for seats of an event. [user] is who asks, where the way of asking tells; a key is that user's alone. */
data class SeatRequest(val event: EventId, val key: IdempotencyKey, val seats: Seats, val user: String? = null)

/** What the books say about one event at one moment. */
data class LedgerView(
    /** Seats that could be granted then. */
    val remaining: Int,
    /** The reservations that exist for some keys: of whatever event, since a key is unique over all of them. */
    val known: Map<IdempotencyKey, Reservation>,
) {
    /**
     * The answer that the books alone give to [request]; null where seats may be granted. A key that is known gets the reservation that it got,
     * also after the last seat has gone; with another wish behind it, it is a mistake of the caller.
     */
    fun answer(request: SeatRequest): Answer? {
        val before = known[request.key]
        return when {
            before != null && !before.isFor(request) -> Answer.KeyTaken
            before != null -> Answer.Granted(before, isRepeat = true)
            request.seats.count > remaining -> Answer.TooFewSeats(remaining)
            else -> null
        }
    }
}

/**
 * How a batch of wishes is granted: in their order, each as if it came alone, so that a small one may still be granted after a large one
 * was not. This is the rule that every store carries out in its own language; [reserve] writes a new reservation.
 */
fun grantInOrder(books: LedgerView, requests: List<SeatRequest>, reserve: (SeatRequest) -> Reservation): List<Answer> {
    var now = books
    return requests.map { request ->
        now.answer(request) ?: reserve(request).let { granted ->
            now = LedgerView(now.remaining - request.seats.count, now.known + (request.key to granted))
            Answer.Granted(granted, isRepeat = false)
        }
    }
}
