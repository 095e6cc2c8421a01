package threadgauge.tickets.rules

import java.time.Instant
import java.util.UUID

/** The number of an event whose seats are sold. */
@JvmInline
value class EventId(val number: Long) {
    override fun toString() = "$number"
}

/** Where a reservation is in its life. It is born [HELD], and each of the others is an end. */
enum class ReservationState(
    /** Its seats are not for sale. */
    val takesSeats: Boolean,
) {
    HELD(true),
    CONFIRMED(true),
    RELEASED(false),
    EXPIRED(false),
}

/** Seats that one caller has, until [expiresAt] unless confirmed before. All times are the database's. */
data class Reservation(
    val id: UUID,
    val event: EventId,
    val key: IdempotencyKey,
    val seats: Seats,
    val state: ReservationState,
    val expiresAt: Instant,
    /** Who asked for it; null where nobody was named. */
    val user: String? = null,
) {
    /** Whether [request] is the wish that this came of. */
    fun isFor(request: SeatRequest): Boolean = event == request.event && key == request.key && seats == request.seats && user == request.user

    /** The state it has [now], also where nobody has written down yet that the hold is over. */
    fun stateAt(now: Instant): ReservationState =
        if (state == ReservationState.HELD && now >= expiresAt) ReservationState.EXPIRED else state

    /** Bought for good. Twice is as good as once. */
    fun confirmed(now: Instant): Ending = when (val state = stateAt(now)) {
        ReservationState.HELD -> Ending.Changed(copy(state = ReservationState.CONFIRMED))
        ReservationState.CONFIRMED -> Ending.Unchanged(this)
        else -> Ending.TooLate(copy(state = state))
    }

    /** Given back; what was confirmed stays so. Twice is as good as once, also where the hold is over by itself. */
    fun released(now: Instant): Ending = when (val state = stateAt(now)) {
        ReservationState.HELD -> Ending.Changed(copy(state = ReservationState.RELEASED))
        ReservationState.RELEASED, ReservationState.EXPIRED -> Ending.Unchanged(copy(state = state))
        ReservationState.CONFIRMED -> Ending.TooLate(this)
    }
}

/** What became of the wish to end a hold. */
sealed interface Ending {
    val reservation: Reservation

    /** It ended just now, in this way. */
    data class Changed(override val reservation: Reservation) : Ending

    /** It had ended in this way before. */
    data class Unchanged(override val reservation: Reservation) : Ending

    /** It had ended in the other way before. */
    data class TooLate(override val reservation: Reservation) : Ending
}
