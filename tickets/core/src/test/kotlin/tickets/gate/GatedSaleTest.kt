package threadgauge.tickets.gate

import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.InMemoryLedger

class GatedSaleTest {
    private val ledger = InMemoryLedger(capacity = 50)
    private val gate = InMemoryGate()
    private val sale = GatedSale(gate, ledger)
    private val event = EventId(1)

    @Test
    fun `exactly the capacity is granted, and late requests do not take the ledger's lock`() = runTest {
        val answers = together(200)
        answers.count { it is Answer.Granted } shouldBe 50
        answers.count { it is Answer.TooFewSeats } shouldBe 150
        ledger.remaining shouldBe 0
        val written = ledger.batches.size
        sale.sell(request(999)) shouldBe Answer.TooFewSeats(0)
        ledger.batches.size shouldBe written
    }

    @Test
    fun `a gate that was restored to full capacity lets too many in, and the ledger rejects them`() = runTest {
        together(50)
        gate.counts[event] = 50
        together(50, from = 100).all { it == Answer.TooFewSeats(0) } shouldBe true
        ledger.remaining shouldBe 0
        gate.counts[event] shouldBe 0
    }

    @Test
    fun `a gate whose count is too low after a release is corrected, and no request is rejected by it`() = runTest {
        // The first request fills the gate; concurrent ones would each read the ledger.
        sale.sell(request(100))
        together(49)
        gate.counts[event] shouldBe 0
        ledger.release(request(1).key)
        ledger.release(request(2).key)
        sale.sell(request(300)).shouldBeInstanceOf<Answer.Granted>()
        gate.counts[event] shouldBe 1
        sale.sell(request(301)).shouldBeInstanceOf<Answer.Granted>()
        sale.sell(request(302)) shouldBe Answer.TooFewSeats(0)
    }

    @Test
    fun `a gate that lost its counts or is down costs only time`() = runTest {
        together(20)
        gate.counts.clear()
        together(10, from = 100).all { it is Answer.Granted } shouldBe true
        gate.isLost = true
        val answers = together(60, from = 200)
        answers.count { it is Answer.Granted } shouldBe 20
        answers.count { it is Answer.TooFewSeats } shouldBe 40
        ledger.remaining shouldBe 0
    }

    @Test
    fun `a retry gets the same reservation and subtracts nothing from the count`() = runTest {
        val first = sale.sell(request(1)).shouldBeInstanceOf<Answer.Granted>()
        val count = gate.counts[event]
        sale.sell(request(1)) shouldBe first.copy(isRepeat = true)
        sale.sell(request(1, seats = 2)) shouldBe Answer.KeyTaken
        gate.counts[event] shouldBe count
        sale.sell(request(5).copy(event = EventId(7))) shouldBe Answer.NoSuchEvent
    }

    private suspend fun together(count: Int, from: Int = 0): List<Answer> = coroutineScope {
        (1..count).map { n -> async { sale.sell(request(from + n)) } }.awaitAll()
    }

    private fun request(key: Int, seats: Long = 1) = SeatRequest(event, IdempotencyKey.of("k$key")!!, Seats.of(seats)!!)
}
