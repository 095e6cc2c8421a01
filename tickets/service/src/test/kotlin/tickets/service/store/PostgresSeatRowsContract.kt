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
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.service.TestPostgres
import threadgauge.tickets.service.execute
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/** The same books where each seat is a row. */
@Tag("processes")
class PostgresSeatRowsContract : SqlLedgerContract(POOL, SeatStorage.ROWS) {
    @Test
    fun `seats that another has locked are neither sold nor told to be sold`() = runBlocking<Unit> {
        val event = store.open("locked", 3, 10.minutes)
        POOL.connection.use { another ->
            another.createStatement().use { it.execute("select 1 from seat where event = $event and number <= 2 for update") }
            // One is free, and whoever wants it waits for nobody.
            store.grantSeatRows(request(event, "skips")).shouldBeInstanceOf<Answer.Granted>()
            val waits = async(Dispatchers.Default) { store.grantSeatRows(request(event, "waits", 2)) }
            delay(300.milliseconds)
            waits.isCompleted shouldBe false
            another.rollback()
            waits.await().shouldBeInstanceOf<Answer.Granted>()
        }
        store.grantSeatRows(request(event, "late")) shouldBe Answer.TooFewSeats(0)
    }

    @Test
    fun `books with seats as a number and books with seats as rows sell nothing of each other`() = runBlocking<Unit> {
        val numbers = SqlLedger(POOL, Dispatchers.IO)
        val withRows = store.open("rows", 5, 10.minutes)
        val withNumber = numbers.open("number", 5, 10.minutes)
        numbers.grant(withRows, listOf(request(withRows, "a"))) shouldBe listOf(Answer.NoSuchEvent)
        numbers.grantRow(request(withRows, "a")) shouldBe Answer.NoSuchEvent
        listOf(withRows, withNumber).map { store.exists(it) } shouldBe listOf(true, false)
        listOf(withRows, withNumber).map { numbers.exists(it) } shouldBe listOf(false, true)
        store.grantSeatRows(request(withNumber, "a")) shouldBe Answer.NoSuchEvent
        listOf(withRows, withNumber).forEach { numbers.event(it)!!.remaining shouldBe 5 }
    }

    @Test
    fun `a key that is granted the last seat elsewhere meanwhile is not told that there was none`() = runBlocking<Unit> {
        val event = store.open("twice", 1, 10.minutes)
        POOL.connection.use { another ->
            val granted = Session(another, Postgres).grantSeatRows(request(event, "same"))
            val again = async(Dispatchers.Default) { store.grantSeatRows(request(event, "same")) }
            delay(300.milliseconds)
            another.commit()
            again.await() shouldBe Answer.Granted((granted as Answer.Granted).reservation, isRepeat = true)
        }
    }

    @Test
    fun `a hold that is over is lost by neither way of selling when the other looks at it`() = runBlocking<Unit> {
        val numbers = SqlLedger(POOL, Dispatchers.IO)
        val withRows = store.open("rows over", 1, 10.minutes)
        val withNumber = numbers.open("number over", 1, 10.minutes)
        store.grantSeatRows(request(withRows, "a")).shouldBeInstanceOf<Answer.Granted>()
        numbers.grantRow(request(withNumber, "a")).shouldBeInstanceOf<Answer.Granted>()
        POOL.execute("update reservation set expires_at = made_at where event in ($withRows, $withNumber)")
        store.grantSeatRows(request(withNumber, "b")) shouldBe Answer.NoSuchEvent
        numbers.grant(withRows, listOf(request(withRows, "b"))) shouldBe listOf(Answer.NoSuchEvent)
        listOf(withRows, withNumber).forEach { numbers.event(it)!!.remaining shouldBe 1 }
        store.grantSeatRows(request(withRows, "c")).shouldBeInstanceOf<Answer.Granted>()
        numbers.grant(withNumber, listOf(request(withNumber, "c"))).single().shouldBeInstanceOf<Answer.Granted>()
    }

    private fun request(event: EventId, key: String, seats: Long = 1) =
        SeatRequest(event, IdempotencyKey.of("${event.number}-$key")!!, Seats.of(seats)!!)

    companion object {
        private val POOL by lazy { openPool(TestPostgres.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
