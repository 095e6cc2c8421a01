package threadgauge.tickets.rules

import java.time.Instant
import java.util.UUID

/** Identifier of an event. */
@JvmInline
value class EventId(val number: Long) {
    override fun toString() = "$number"
}

/** State of a reservation. It starts as [HELD]; the others are final. */
enum class ReservationState(
    /** Whether its seats are taken, so not for sale. */
    val takesSeats: Boolean,
) {
    HELD(true),
    CONFIRMED(true),
    RELEASED(false),
    EXPIRED(false),
}

/** Seats of one client, held until [expiresAt] or confirmed before. All times are by the database's clock. */
data class Reservation(
    val id: UUID,
    val event: EventId,
    val key: IdempotencyKey,
    val seats: Seats,
    val state: ReservationState,
    val expiresAt: Instant,
    /** Null if the client named no user. */
    val user: String? = null,
) {
    /** Whether it was made for this [request], or for a retry of it. */
    fun isFor(request: SeatRequest): Boolean =
        event == request.event && key == request.key && seats == request.seats && user == request.user

    /** The state at [now]. A hold past [expiresAt] is expired even if [state] was not updated yet. */
    fun stateAt(now: Instant): ReservationState =
        if (state == ReservationState.HELD && now >= expiresAt) ReservationState.EXPIRED else state

    /** Confirms the hold. Idempotent. */
    fun confirmed(now: Instant): Ending = when (val state = stateAt(now)) {
        ReservationState.HELD -> Ending.Changed(copy(state = ReservationState.CONFIRMED))
        ReservationState.CONFIRMED -> Ending.Unchanged(this)
        else -> Ending.TooLate(copy(state = state))
    }

    /** Releases the hold; a confirmed reservation stays confirmed. Idempotent, also for an expired hold. */
    fun released(now: Instant): Ending = when (val state = stateAt(now)) {
        ReservationState.HELD -> Ending.Changed(copy(state = ReservationState.RELEASED))
        ReservationState.RELEASED, ReservationState.EXPIRED -> Ending.Unchanged(copy(state = state))
        ReservationState.CONFIRMED -> Ending.TooLate(this)
    }
}

/** Result of an attempt to end a hold. */
sealed interface Ending {
    val reservation: Reservation

    /** It ended now, in the requested way. */
    data class Changed(override val reservation: Reservation) : Ending

    /** It had already ended in the requested way. */
    data class Unchanged(override val reservation: Reservation) : Ending

    /** It had already ended in another way. */
    data class TooLate(override val reservation: Reservation) : Ending
}
