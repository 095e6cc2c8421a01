package threadgauge.tickets.service.store

import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.service.TestPostgres
import threadgauge.tickets.service.execute

/** The ledger in PostgreSQL, with one row per seat. */
@Tag("processes")
class PostgresSeatRowsContract : SqlLedgerContract(POOL, SeatStorage.ROWS) {
    @Test
    fun `seats locked by another transaction are neither sold nor reported as sold`() = runBlocking<Unit> {
        val event = store.open("locked", 3, 10.minutes)
        POOL.connection.use { another ->
            another.createStatement().use {
                it.execute("select 1 from seat where event = $event and number <= 2 for update")
            }
            // One seat is free, and a request for it does not wait.
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
    fun `stores with counters and stores with rows do not sell each other's events`() = runBlocking<Unit> {
        val counters = SqlLedger(POOL, Dispatchers.IO)
        val withRows = store.open("rows", 5, 10.minutes)
        val withCounter = counters.open("counter", 5, 10.minutes)
        counters.grant(withRows, listOf(request(withRows, "a"))) shouldBe listOf(Answer.NoSuchEvent)
        counters.grantRow(request(withRows, "a")) shouldBe Answer.NoSuchEvent
        listOf(withRows, withCounter).map { store.exists(it) } shouldBe listOf(true, false)
        listOf(withRows, withCounter).map { counters.exists(it) } shouldBe listOf(false, true)
        store.grantSeatRows(request(withCounter, "a")) shouldBe Answer.NoSuchEvent
        listOf(withRows, withCounter).forEach { counters.event(it)!!.remaining shouldBe 5 }
    }

    @Test
    fun `a key that got the last seat in a concurrent transaction gets its reservation`() = runBlocking<Unit> {
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
    fun `an expired hold is not lost when a store of the other kind reads it`() = runBlocking<Unit> {
        val counters = SqlLedger(POOL, Dispatchers.IO)
        val withRows = store.open("rows over", 1, 10.minutes)
        val withCounter = counters.open("counter over", 1, 10.minutes)
        store.grantSeatRows(request(withRows, "a")).shouldBeInstanceOf<Answer.Granted>()
        counters.grantRow(request(withCounter, "a")).shouldBeInstanceOf<Answer.Granted>()
        POOL.execute("update reservation set expires_at = made_at where event in ($withRows, $withCounter)")
        store.grantSeatRows(request(withCounter, "b")) shouldBe Answer.NoSuchEvent
        counters.grant(withRows, listOf(request(withRows, "b"))) shouldBe listOf(Answer.NoSuchEvent)
        listOf(withRows, withCounter).forEach { counters.event(it)!!.remaining shouldBe 1 }
        store.grantSeatRows(request(withRows, "c")).shouldBeInstanceOf<Answer.Granted>()
        counters.grant(withCounter, listOf(request(withCounter, "c"))).single().shouldBeInstanceOf<Answer.Granted>()
    }

    companion object {
        private val POOL by lazy { openPool(TestPostgres.address) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
