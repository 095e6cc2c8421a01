package threadgauge.tickets.rules

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import io.kotest.property.Arb
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.arbitrary.int
import io.kotest.property.checkAll
import java.time.Instant
import java.util.UUID
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test

class RulesTest {
    private val now = Instant.parse("2026-06-01T12:00:00Z")
    private val held = reservation(request("a", 2))

    @Test
    fun `seats are whole numbers from 1 to 100`() {
        listOf(1L, 2, 100).map { Seats.of(it)?.count } shouldBe listOf(1, 2, 100)
        listOf(0L, -1, 101, Long.MAX_VALUE, Long.MIN_VALUE, 1L + Int.MAX_VALUE, 1L shl 32 or 1)
            .mapNotNull { Seats.of(it) } shouldBe emptyList()
    }

    @Test
    fun `a key is short and visible, so it cannot break a header or a log line`() {
        IdempotencyKey.of("9f1c-x")!!.text shouldBe "9f1c-x"
        IdempotencyKey.of("k".repeat(100))!!.text.length shouldBe 100
        listOf("", "k".repeat(101), "a b", "a\r\nSet-Cookie: x", "ä", "\u0000")
            .mapNotNull { IdempotencyKey.of(it) } shouldBe emptyList()
    }

    @Test
    fun `a hold ends once in one way, and repeating that request succeeds`() {
        val before = now.minusMillis(1)
        val confirmed = held.confirmed(before).shouldBeInstanceOf<Ending.Changed>().reservation
        confirmed.confirmed(now.plusSeconds(9)).shouldBeInstanceOf<Ending.Unchanged>()
        confirmed.released(before).shouldBeInstanceOf<Ending.TooLate>().reservation.state shouldBe
            ReservationState.CONFIRMED

        val released = held.released(before).shouldBeInstanceOf<Ending.Changed>().reservation
        released.released(before).shouldBeInstanceOf<Ending.Unchanged>()
        released.confirmed(before).shouldBeInstanceOf<Ending.TooLate>().reservation.state shouldBe
            ReservationState.RELEASED
    }

    @Test
    fun `a hold is expired from its end on, even if the state was not updated`() {
        held.stateAt(now.minusNanos(1)) shouldBe ReservationState.HELD
        held.stateAt(now) shouldBe ReservationState.EXPIRED
        held.confirmed(now).shouldBeInstanceOf<Ending.TooLate>().reservation.state shouldBe ReservationState.EXPIRED
        held.released(now).shouldBeInstanceOf<Ending.Unchanged>().reservation.state shouldBe ReservationState.EXPIRED
        held.copy(state = ReservationState.CONFIRMED).stateAt(now) shouldBe ReservationState.CONFIRMED
    }

    @Test
    fun `requests are granted in order, and a small one may be granted after a large one was not`() {
        val requests = listOf(request("a", 3), request("b", 4), request("c", 2), request("d", 1))
        val answers = grantInOrder(LedgerView(5, emptyMap()), requests, ::reservation)
        answers.map { it::class } shouldBe
            listOf(Answer.Granted::class, Answer.TooFewSeats::class, Answer.Granted::class, Answer.TooFewSeats::class)
        answers[1] shouldBe Answer.TooFewSeats(2)
        answers[3] shouldBe Answer.TooFewSeats(0)
    }

    @Test
    fun `a known key gets its reservation again, also after the last seat, but not for another request`() {
        val requests = listOf(request("a", 2), request("a", 2), request("a", 1))
        val first = grantInOrder(LedgerView(2, emptyMap()), requests, ::reservation)
        val granted = first[0].shouldBeInstanceOf<Answer.Granted>().reservation
        first[1] shouldBe Answer.Granted(granted, isRepeat = true)
        first[2] shouldBe Answer.KeyTaken
        val soldOut = LedgerView(0, mapOf(granted.key to granted))
        soldOut.answer(request("a", 2)) shouldBe Answer.Granted(granted, isRepeat = true)
        soldOut.answer(request("a", 2).copy(event = EventId(2))) shouldBe Answer.KeyTaken
        // A client learns nothing about another user's reservation.
        soldOut.answer(request("a", 2).copy(user = "somebody else")) shouldBe Answer.KeyTaken
    }

    @Test
    fun `for any requests in any order, the capacity is kept and no request that fits is rejected`() = runTest {
        val requests = arbitrary {
            List(it.random.nextInt(0, 40)) { n ->
                request("k${it.random.nextInt(0, 30)}", 1 + (n * 7 + it.random.nextInt(9)) % 12)
            }
        }
        checkAll(500, Arb.int(0..60), requests) { remaining, batch ->
            val answers = grantInOrder(LedgerView(remaining, emptyMap()), batch, ::reservation)
            answers shouldHaveSize batch.size
            var left = remaining
            answers.zip(batch).forEach { (answer, request) ->
                if (answer is Answer.Granted && !answer.isRepeat) left -= request.seats.count
                if (answer is Answer.TooFewSeats) {
                    (request.seats.count > left && answer.remaining == left) shouldBe true
                }
                (left >= 0) shouldBe true
            }
            val granted = answers.filterIsInstance<Answer.Granted>().map { it.reservation }.distinct()
            granted.map { it.key }.distinct().size shouldBe granted.size
        }
    }

    private fun request(key: String, seats: Int) =
        SeatRequest(EventId(1), IdempotencyKey.of(key)!!, Seats.of(seats.toLong())!!)

    private fun reservation(request: SeatRequest) =
        Reservation(UUID.randomUUID(), request.event, request.key, request.seats, ReservationState.HELD, now)
}
