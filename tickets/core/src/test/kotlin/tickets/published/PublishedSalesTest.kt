package threadgauge.tickets.published

import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.time.Instant
import java.util.UUID
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test
import threadgauge.tickets.gate.InMemoryGate
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.InMemoryLedger

class PublishedSalesTest {
    private val event = EventId(1)
    private val count = InMemoryGate()

    @Test
    fun `the naive sale sells the capacity to sequential requests, and more to concurrent ones`() = runTest {
        val written = ArrayList<Reservation>()
        val writer = ReservationWriter { request -> reservationOf(request).also(written::add) }
        val naive = NaiveSale(count, writer, InMemoryLedger(capacity = 10))
        repeat(15) { naive.sell(request(it)) }
        written.size shouldBe 10
        count.counts.clear()
        written.clear()
        together(15) { naive.sell(it) }
        written.size shouldBeGreaterThan 10
    }

    @Test
    fun `the naive sale knows only its own event`() = runTest {
        val naive = NaiveSale(count, { error("not to be written") }, InMemoryLedger(capacity = 10))
        naive.sell(request(1).copy(event = EventId(3))) shouldBe Answer.NoSuchEvent
    }

    @Test
    fun `within a lock the same steps sell exactly the capacity`() = runTest {
        val ledger = InMemoryLedger(capacity = 30)
        val sale = LockedSale(OneLock(), count, ledger)
        val answers = together(100) { sale.sell(it) }
        answers.count { it is Answer.Granted } shouldBe 30
        answers.count { it is Answer.TooFewSeats } shouldBe 70
        ledger.release(request(1).key)
        sale.sell(request(500)).shouldBeInstanceOf<Answer.Granted>()
    }

    @Test
    fun `with a broken lock the ledger still prevents overselling`() = runTest {
        val ledger = InMemoryLedger(capacity = 30)
        val broken = object : SharedLock {
            override suspend fun <T> withLock(event: EventId, block: suspend () -> T): T = block()
        }
        val sale = LockedSale(broken, count, ledger)
        together(100) { sale.sell(it) }.count { it is Answer.Granted } shouldBe 30
        ledger.remaining shouldBe 0
    }

    private suspend fun together(count: Int, sell: suspend (SeatRequest) -> Answer): List<Answer> = coroutineScope {
        (1..count).map { n -> async { sell(request(n)) } }.awaitAll()
    }

    private fun request(key: Int) = SeatRequest(event, IdempotencyKey.of("k$key")!!, Seats.of(1)!!)

    private fun reservationOf(request: SeatRequest) = with(request) {
        Reservation(UUID.randomUUID(), event, key, seats, ReservationState.HELD, Instant.MAX, user)
    }

    private class OneLock : SharedLock {
        private val mutex = Mutex()

        override suspend fun <T> withLock(event: EventId, block: suspend () -> T): T = mutex.withLock { block() }
    }
}
