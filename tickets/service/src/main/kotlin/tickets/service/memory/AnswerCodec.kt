package threadgauge.tickets.service.memory

import java.time.Instant
import java.util.UUID
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats

/**
 * Encodes the answer to the request with that [number] as one line, which services send each other. Its parts contain
 * no blanks. The format must not change, because services of two versions may run at the same time.
 */
internal fun encodeAnswer(number: Long, answer: Answer): String = when (answer) {
    is Answer.Granted ->
        with(answer.reservation) { "$number granted ${answer.isRepeat} $id $event $key $seats $state $expiresAt" }
    is Answer.TooFewSeats -> "$number too-few ${answer.remaining}"
    Answer.KeyTaken -> "$number key-taken"
    Answer.NoSuchEvent -> "$number no-event"
    is Answer.Busy, Answer.Unknown -> "$number unknown"
}

/** Decodes a line of [encodeAnswer]. Throws [IllegalArgumentException] for anything else. */
internal fun decodeAnswer(line: String): Pair<Long, Answer> {
    val parts = line.split(' ')
    val number = requireNotNull(parts[0].toLongOrNull()) { "not an answer: $line" }
    return number to when (parts.getOrNull(1)) {
        "granted" -> Answer.Granted(reservation(parts.drop(3)), isRepeat = parts[2].toBooleanStrict())
        "too-few" -> Answer.TooFewSeats(parts[2].toInt())
        "key-taken" -> Answer.KeyTaken
        "no-event" -> Answer.NoSuchEvent
        "unknown" -> Answer.Unknown
        else -> throw IllegalArgumentException("not an answer: $line")
    }
}

private fun reservation(parts: List<String>) = Reservation(
    id = UUID.fromString(parts[0]),
    event = EventId(parts[1].toLong()),
    key = requireNotNull(IdempotencyKey.of(parts[2])) { "not a key: ${parts[2]}" },
    seats = requireNotNull(Seats.of(parts[3].toLong())) { "not a number of seats: ${parts[3]}" },
    state = ReservationState.valueOf(parts[4]),
    expiresAt = Instant.parse(parts[5]),
)
