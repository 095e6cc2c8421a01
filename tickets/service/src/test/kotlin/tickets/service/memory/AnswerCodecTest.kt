package threadgauge.tickets.service.memory

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import java.time.Instant
import java.util.UUID
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats

class AnswerCodecTest {
    @Test
    fun `an encoded answer is decoded unchanged`() {
        val everyKeyCharacter = IdempotencyKey.of(('!'..'~').joinToString(""))!!
        val reservation = Reservation(
            UUID(-1, 7), EventId(Long.MAX_VALUE), everyKeyCharacter, Seats.of(100)!!, ReservationState.CONFIRMED,
            Instant.ofEpochSecond(5, 123_456_000),
        )
        val answers = listOf(
            Answer.Granted(reservation, isRepeat = true), Answer.Granted(reservation, isRepeat = false),
            Answer.TooFewSeats(0), Answer.KeyTaken, Answer.NoSuchEvent, Answer.Unknown,
        )
        answers.forEachIndexed { number, answer ->
            decodeAnswer(encodeAnswer(number.toLong(), answer)) shouldBe (number.toLong() to answer)
        }
    }

    @Test
    fun `any other line is rejected`() {
        for (line in listOf("", "x granted", "1", "1 maybe")) {
            shouldThrow<IllegalArgumentException> { decodeAnswer(line) }.message shouldBe "not an answer: $line"
        }
    }
}
