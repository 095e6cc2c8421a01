package threadgauge.tickets.service.store

import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.service.TestPostgres
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/** The same books where each seat is a row. */
@Tag("processes")
class PostgresSeatRowsContract : StoreContract() {
    private val store = BooksStore(POOL, Dispatchers.IO, seatRows = true)
    override val ledger = store
    override val desk = store

    @Test
    fun `seats that another has locked are neither sold nor told to be sold`() = runBlocking<Unit> {
        val event = store.open("locked", 3, 10.minutes)
        POOL.connection.use { another ->
            another.createStatement().use { it.execute("select 1 from seat where event = $event and number <= 2 for update") }
            // One is free, and whoever wants it waits for nobody.
            store.grantSeatRows(ask(event, "skips")).shouldBeInstanceOf<Answer.Granted>()
            val waits = async(Dispatchers.Default) { store.grantSeatRows(ask(event, "waits", 2)) }
            delay(300.milliseconds)
            waits.isCompleted shouldBe false
            another.rollback()
            waits.await().shouldBeInstanceOf<Answer.Granted>()
        }
        store.grantSeatRows(ask(event, "late")) shouldBe Answer.TooFewSeats(0)
    }

    @Test
    fun `books with seats as a number and books with seats as rows sell nothing of each other`() = runBlocking<Unit> {
        val numbers = BooksStore(POOL, Dispatchers.IO)
        val withRows = store.open("rows", 5, 10.minutes)
        val withNumber = numbers.open("number", 5, 10.minutes)
        numbers.grant(withRows, listOf(ask(withRows, "a"))) shouldBe listOf(Answer.TooFewSeats(0))
        numbers.grantRow(ask(withRows, "a")) shouldBe Answer.TooFewSeats(0)
        store.grantSeatRows(ask(withNumber, "a")) shouldBe Answer.TooFewSeats(0)
        listOf(withRows, withNumber).forEach { numbers.event(it)!!.remaining shouldBe 5 }
    }

    private fun ask(event: EventId, key: String, seats: Long = 1) =
        Ask(event, IdempotencyKey.of("${event.number}-$key")!!, Seats.of(seats)!!)

    companion object {
        private val POOL by lazy { openPool(TestPostgres.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
