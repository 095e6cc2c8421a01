package threadgauge.tickets.rules

import kotlin.time.Duration

/** Answer to a [SeatRequest]. Only [Granted] takes seats. */
sealed interface Answer {
    /** The [reservation] is durable. [isRepeat]: it existed before, because the key was known. */
    data class Granted(val reservation: Reservation, val isRepeat: Boolean) : Answer

    /** At some moment between request and answer only [remaining] seats were left, fewer than were requested. */
    data class TooFewSeats(val remaining: Int) : Answer

    /** The key belongs to another request. */
    data object KeyTaken : Answer

    data object NoSuchEvent : Answer

    /** The queue is full and nothing was done; retry after [retryAfter]. */
    data class Busy(val retryAfter: Duration) : Answer

    /**
     * The ledger did not answer in time, so the outcome is unknown. A retry with the same key returns it, and buys
     * nothing twice.
     */
    data object Unknown : Answer
}
