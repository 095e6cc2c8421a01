package threadgauge.tickets.rules

/** The wish for seats of an event. [user] is who asks, where the way of asking tells; a key is that user's alone. */
data class Ask(val event: EventId, val key: IdempotencyKey, val seats: Seats, val user: String? = null)

/** What the books say about one event at one moment. */
data class Books(
    /** Seats that could be granted then. */
    val remaining: Int,
    /** The reservations that exist for some keys: of whatever event, since a key is unique over all of them. */
    val known: Map<IdempotencyKey, Reservation>,
) {
    /**
     * The answer that the books alone give to [ask]; null where seats may be granted. A key that is known gets the reservation that it got,
     * also after the last seat has gone; with another wish behind it, it is a mistake of the caller.
     */
    fun answer(ask: Ask): Answer? {
        val before = known[ask.key]
        return when {
            before != null && !before.isFor(ask) -> Answer.KeyTaken
            before != null -> Answer.Granted(before, isRepeat = true)
            ask.seats.count > remaining -> Answer.TooFewSeats(remaining)
            else -> null
        }
    }
}

/**
 * How a batch of wishes is granted: in their order, each as if it came alone, so that a small one may still be granted after a large one
 * was not. This is the rule that every store carries out in its own language; [reserve] writes a new reservation.
 */
fun grantInOrder(books: Books, asks: List<Ask>, reserve: (Ask) -> Reservation): List<Answer> {
    var now = books
    return asks.map { ask ->
        now.answer(ask) ?: reserve(ask).let { granted ->
            now = Books(now.remaining - ask.seats.count, now.known + (ask.key to granted))
            Answer.Granted(granted, isRepeat = false)
        }
    }
}
