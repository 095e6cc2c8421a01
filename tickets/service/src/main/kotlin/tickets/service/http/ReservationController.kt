package threadgauge.tickets.service.http

import java.time.Instant
import java.util.UUID
import org.springframework.http.HttpHeaders
import org.springframework.http.HttpStatus
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.DeleteMapping
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RestController
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.EventService

/** A reservation in the API. */
data class ReservationBody(
    val id: UUID,
    val event: Long,
    val quantity: Int,
    val state: String,
    val expiresAt: Instant,
) {
    constructor(from: Reservation) :
        this(from.id, from.event.number, from.seats.count, from.state.name, from.expiresAt)
}

/** Reads, confirms and releases reservations. [ReserveHandler] creates them. */
@RestController
class ReservationController(private val service: EventService) {
    @GetMapping("/reservations/{id}")
    suspend fun find(@PathVariable id: String): ResponseEntity<Any> =
        idOf(id)?.let { service.reservation(it) }?.let { ResponseEntity.ok(ReservationBody(it)) } ?: noSuchReservation()

    @PostMapping("/reservations/{id}/confirm")
    suspend fun confirm(@PathVariable id: String): ResponseEntity<Any> =
        responseTo(idOf(id)?.let { service.confirm(it) })

    @DeleteMapping("/reservations/{id}")
    suspend fun release(@PathVariable id: String): ResponseEntity<Any> =
        responseTo(idOf(id)?.let { service.release(it) })
}

internal fun responseTo(answer: Answer, event: String): ResponseEntity<Any> = when (answer) {
    is Answer.Granted -> ResponseEntity.status(HttpStatus.CREATED)
        .header(HttpHeaders.LOCATION, "/reservations/${answer.reservation.id}")
        .body(ReservationBody(answer.reservation))
    is Answer.TooFewSeats -> Problem.TOO_FEW_SEATS.answer(
        if (answer.remaining == 0) "The event is sold out." else "There are ${answer.remaining} seats left.",
        null, "remaining" to answer.remaining,
    )
    Answer.KeyTaken -> Problem.KEY_TAKEN.answer("The same key was sent before with another event or quantity.")
    Answer.NoSuchEvent -> noSuchEvent(event)
    is Answer.Busy ->
        Problem.BUSY.answer("Nothing was reserved. Retry after the time in Retry-After.", answer.retryAfter)
    Answer.Unknown -> throw OutcomeUnknown()
}

private fun responseTo(ending: Ending?): ResponseEntity<Any> = when (ending) {
    null -> noSuchReservation()
    is Ending.TooLate ->
        ending.reservation.state.name.let { Problem.OVER.answer("The reservation is $it.", null, "state" to it) }
    else -> ResponseEntity.ok(ReservationBody(ending.reservation))
}

/** [name] is the member of the body that contains [number]. */
internal fun seatsOf(number: Long?, name: String = "quantity"): Seats = number?.let(Seats::of)
    ?: throw InvalidRequest("$name must be a whole number from 1 to ${Seats.MAX}, such as {\"$name\": 2}.")

internal fun keyOf(text: String?): IdempotencyKey = text?.let(IdempotencyKey::of) ?: throw InvalidRequest(
    "The header Idempotency-Key is required, with 1 to ${IdempotencyKey.MAX_LENGTH} visible ASCII characters, " +
        "such as a random UUID: a new one for each request, the same one for each retry of it.",
)

/** Null if [text] is not a UUID in its usual form. */
private fun idOf(text: String): UUID? =
    runCatching { UUID.fromString(text) }.getOrNull()?.takeIf { "$it" == text.lowercase() }

internal fun noSuchEvent(event: String) =
    Problem.NO_SUCH_EVENT.answer("Event ${event.take(MAX_ECHO_LENGTH)} is not on sale here.")

private fun noSuchReservation() = Problem.NO_SUCH_RESERVATION.answer("No reservation has this identifier.")

private const val MAX_ECHO_LENGTH = 20
