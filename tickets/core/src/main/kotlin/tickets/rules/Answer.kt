package threadgauge.tickets.rules

import kotlin.time.Duration

/** What a caller is told. Only [Granted] takes seats. */
sealed interface Answer {
    /** The [reservation] is durable. [isRepeat]: it was so before, because the key was known. */
    data class Granted(val reservation: Reservation, val isRepeat: Boolean) : Answer

    /** At some moment between call and answer so few seats were left, fewer than were asked for. */
    data class TooFewSeats(val remaining: Int) : Answer

    /** The key belongs to another wish. */
    data object KeyTaken : Answer

    data object NoSuchEvent : Answer

    /** Nothing was done. More is waiting already than can be served soon; come back after [retryAfter]. */
    data class Busy(val retryAfter: Duration) : Answer

    /** The books could not be reached, or not in time to know. Asking again with the same key tells, and buys nothing twice. */
    data object Unknown : Answer
}
