package threadgauge.tickets.rules

/** A request for seats of an event. [user] is null if the client named none. A key belongs to one user. */
data class SeatRequest(val event: EventId, val key: IdempotencyKey, val seats: Seats, val user: String? = null)

/** What the ledger contains about one event at one moment. */
data class LedgerView(
    /** Seats that can be granted. */
    val remaining: Int,
    /** The existing reservations of some keys. They may be of other events, since a key is unique over all events. */
    val known: Map<IdempotencyKey, Reservation>,
) {
    /**
     * The answer to [request] that follows from this view; null if seats may be granted. A known key gets its
     * reservation again, even after the last seat has gone. With another request behind it, the answer is
     * [Answer.KeyTaken].
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
 * The rule by which a batch is granted: in order, each request as if it came alone. So a small request may be granted
 * after a large one was not. Every store implements this rule, some in SQL. [reserve] creates a new reservation.
 */
fun grantInOrder(view: LedgerView, requests: List<SeatRequest>, reserve: (SeatRequest) -> Reservation): List<Answer> {
    var now = view
    return requests.map { request ->
        now.answer(request) ?: reserve(request).let { granted ->
            now = LedgerView(now.remaining - request.seats.count, now.known + (request.key to granted))
            Answer.Granted(granted, isRepeat = false)
        }
    }
}
