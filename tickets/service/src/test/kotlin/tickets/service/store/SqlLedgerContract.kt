package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeBetween
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.Ledger
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.SQLException
import java.sql.Statement
import java.util.Random
import java.util.UUID
import java.util.concurrent.CountDownLatch
import javax.sql.DataSource
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** What every store of the books must do, whatever database it is. */
abstract class SqlLedgerContract(private val pool: LedgerPool, private val seats: SeatStorage = SeatStorage.COUNTER) {
    protected val store = SqlLedger(pool, Dispatchers.IO, seats)
    private val ledger: Ledger get() = store
    private val events: EventService get() = store

    @Test
    fun `an event that was opened is found, with all of its seats`() = runBlocking<Unit> {
        val id = events.open("Robert'); drop table event; --", 500, 10.minutes)
        events.event(id).let { event ->
            event!!.name shouldBe "Robert'); drop table event; --"
            listOf(event.capacity, event.remaining, event.held, event.confirmed) shouldBe listOf(500, 500, 0, 0)
            event.hold shouldBe 10.minutes
        }
        events.event(EventId(Long.MAX_VALUE)) shouldBe null
        ledger.read(EventId(Long.MAX_VALUE), listOf(request(id, "a"))) shouldBe null
        ledger.grant(EventId(Long.MAX_VALUE), listOf(request(EventId(Long.MAX_VALUE), "a"))) shouldBe listOf(Answer.NoSuchEvent)
    }

    @Test
    fun `a batch is granted in its order, small after large, and the books add up`() = runBlocking<Unit> {
        val event = events.open("order", 5, 10.minutes)
        val answers = ledger.grant(event, listOf(request(event, "a", 3), request(event, "b", 4), request(event, "c", 2), request(event, "d")))
        answers.map { it::class } shouldContainExactly
            listOf(Answer.Granted::class, Answer.TooFewSeats::class, Answer.Granted::class, Answer.TooFewSeats::class)
        answers[1] shouldBe Answer.TooFewSeats(2)
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(0, 5, 0) }
        val granted = answers[0].granted()
        events.reservation(granted.id) shouldBe granted
        granted.state shouldBe ReservationState.HELD
    }

    @Test
    fun `a key that is known gets what it got, and nothing for another wish`() = runBlocking<Unit> {
        val event = events.open("keys", 10, 10.minutes)
        val other = events.open("other", 10, 10.minutes)
        val first = ledger.grant(event, listOf(request(event, "a", 2))).single().granted()
        ledger.grant(event, listOf(request(event, "a", 2), request(event, "a", 3))) shouldContainExactly
            listOf(Answer.Granted(first, isRepeat = true), Answer.KeyTaken)
        ledger.grant(other, listOf(request(event, "a", 2).copy(event = other))) shouldBe listOf(Answer.KeyTaken)
        ledger.read(event, listOf(request(event, "a", 2), request(event, "z")))!!.run {
            remaining shouldBe 8
            known.values.toList() shouldBe listOf(first)
        }
    }

    @Test
    fun `a key is for one user alone`() = runBlocking<Unit> {
        val event = events.open("users", 10, 10.minutes)
        val hers = request(event, "a").copy(user = "hers")
        val first = ledger.grant(event, listOf(hers)).single().granted()
        first.user shouldBe "hers"
        val others = listOf("his", null).map { hers.copy(user = it) }
        ledger.grant(event, others + hers) shouldBe listOf(Answer.KeyTaken, Answer.KeyTaken, Answer.Granted(first, isRepeat = true))
        ledger.read(event, listOf(hers))!!.run { (others + hers).map { answer(it) } } shouldBe
            listOf(Answer.KeyTaken, Answer.KeyTaken, Answer.Granted(first, isRepeat = true))
        events.event(event)!!.held shouldBe 1
    }

    @Test
    fun `a retry is not mistaken for another wish with its key that comes before it in the batch`() = runBlocking<Unit> {
        val event = events.open("after another", 10, 10.minutes)
        val first = ledger.grant(event, listOf(request(event, "a"))).single().granted()
        ledger.grant(event, listOf(request(event, "a", 2), request(event, "a"))) shouldBe
            listOf(Answer.KeyTaken, Answer.Granted(first, isRepeat = true))
    }

    @Test
    fun `the same key several times in one batch is one wish`() = runBlocking<Unit> {
        val event = events.open("twice", 5, 10.minutes)
        val requests = listOf("a" to 4L, "a" to 4L, "a" to 1L, "b" to 2L, "b" to 2L, "b" to 1L)
        val answers = ledger.grant(event, requests.map { (key, seats) -> request(event, key, seats) })
        answers[1] shouldBe Answer.Granted(answers[0].granted(), isRepeat = true)
        answers[2] shouldBe Answer.KeyTaken
        answers[3] shouldBe Answer.TooFewSeats(1)
        answers[4] shouldBe Answer.TooFewSeats(1)
        // The wish for two left nothing behind, so the same key may be used for one.
        answers[5].granted().seats.count shouldBe 1
        events.event(event)!!.held shouldBe 5
    }

    @Test
    fun `a hold is confirmed or released once, and what is released is for sale again`() = runBlocking<Unit> {
        val event = events.open("ends", 3, 10.minutes)
        val (a, b) = ledger.grant(event, listOf(request(event, "a", 2), request(event, "b"))).map { it.granted() }
        events.confirm(a.id).shouldBeInstanceOf<Ending.Changed>()
        events.confirm(a.id).shouldBeInstanceOf<Ending.Unchanged>().reservation.state shouldBe ReservationState.CONFIRMED
        events.release(a.id).shouldBeInstanceOf<Ending.TooLate>()
        events.release(b.id).shouldBeInstanceOf<Ending.Changed>()
        events.release(b.id).shouldBeInstanceOf<Ending.Unchanged>()
        events.confirm(b.id).shouldBeInstanceOf<Ending.TooLate>().reservation.state shouldBe ReservationState.RELEASED
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(1, 0, 2) }
        ledger.grant(event, listOf(request(event, "c"))).single().granted()
        // What the key got it keeps, also where it was given back.
        ledger.grant(event, listOf(request(event, "b"))).single().granted().state shouldBe ReservationState.RELEASED
        listOf(events.confirm(UUID.randomUUID()), events.release(UUID.randomUUID()), events.reservation(UUID.randomUUID())) shouldBe
            listOf(null, null, null)
    }

    @Test
    fun `a hold that is over is for sale again, and cannot be confirmed`() = runBlocking<Unit> {
        val event = events.open("over", 2, 10.minutes)
        val (a, b) = ledger.grant(event, listOf(request(event, "a"), request(event, "b"))).map { it.granted() }
        events.confirm(b.id).shouldBeInstanceOf<Ending.Changed>()
        ledger.read(event, listOf(request(event, "c")))!!.remaining shouldBe 0
        endNow("id = '${a.id}'") shouldBe 1
        ledger.read(event, listOf(request(event, "c")))!!.remaining shouldBe 1
        events.reservation(a.id)!!.state shouldBe ReservationState.EXPIRED
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(1, 0, 1) }
        events.confirm(a.id).shouldBeInstanceOf<Ending.TooLate>()
        // Whoever asks again is not told that he still has his seat.
        ledger.read(event, listOf(request(event, "a")))!!.known.values.single().state shouldBe ReservationState.EXPIRED
        ledger.grant(event, listOf(request(event, "c"), request(event, "d"))).map { it::class } shouldBe
            listOf(Answer.Granted::class, Answer.TooFewSeats::class)
        events.release(a.id).shouldBeInstanceOf<Ending.Unchanged>().reservation.state shouldBe ReservationState.EXPIRED
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(0, 1, 1) }
    }

    @Test
    fun `many sellers at a time sell each seat once`() = runBlocking<Unit> {
        val event = events.open("many", 300, 10.minutes)
        val answers = coroutineScope {
            List(8) { seller ->
                async(Dispatchers.Default) {
                    val random = Random(seller.toLong())
                    // Keys are shared among the sellers, as when callers ask again elsewhere.
                    List(25) { n ->
                        delay(random.nextLong(2))
                        ledger.grant(event, List(4) { request(event, "k${(seller / 2) * 100 + n * 4 + it}", 1L + (n + it) % 3) })
                    }.flatten()
                }
            }.awaitAll().flatten()
        }
        val granted = answers.filterIsInstance<Answer.Granted>().map { it.reservation }.distinctBy { it.id }
        granted.sumOf { it.seats.count } shouldBe 300
        granted.map { it.key }.distinct() shouldHaveSize granted.size
        events.event(event)!!.run { listOf(remaining, held) shouldBe listOf(0, 300) }
    }

    @Test
    fun `confirming and releasing at a time has one winner, and seats are never lost`() = runBlocking<Unit> {
        val event = events.open("race", 40, 10.minutes)
        val held = ledger.grant(event, List(40) { request(event, "r$it") }).map { it.granted() }
        val endings = coroutineScope {
            held.flatMap { listOf(async(Dispatchers.Default) { events.confirm(it.id) }, async(Dispatchers.Default) { events.release(it.id) }) }
                .awaitAll()
        }
        endings.count { it is Ending.Changed } shouldBe 40
        endings.count { it is Ending.TooLate } shouldBe 40
        events.event(event)!!.run { remaining + confirmed shouldBe 40 }
        events.event(event)!!.held shouldBe 0
    }

    @Test
    fun `of very many holds that are over no more are given back at a time than seats are wanted`() = runBlocking<Unit> {
        val event = events.open("rush", 50, 10.minutes)
        ledger.grant(event, List(50) { request(event, "early-$it") }).forEach { it.granted() }
        endNow("event = $event") shouldBe 50
        events.event(event)!!.remaining shouldBe 50
        ledger.grant(event, listOf(request(event, "late"))).single().granted()
        val over = "select count(*) from reservation where event = $event and state = 'EXPIRED'"
        // Where each seat is a row, others may take what was freed, so more are.
        books { it.executeQuery(over).use { rows -> rows.next(); rows.getInt(1) } } shouldBe if (seats == SeatStorage.ROWS) 50 else 1
        ledger.grant(event, List(60) { request(event, "later-$it") }).count { it is Answer.Granted } shouldBe 49
        events.event(event)!!.run { listOf(remaining, held) shouldBe listOf(0, 50) }
    }

    /** At the very end of a hold its owner confirms it, and somebody else wants the seat. */
    @Test
    fun `confirming a hold and selling its seat when it is over has one winner`() = runBlocking<Unit> {
        var bought = 0
        var sold = 0
        for (round in 1..ROUNDS) {
            val ends = coroutineScope { List(RACERS) { n -> async(Dispatchers.Default) { atTheEnd("$round-$n", n) } }.awaitAll() }
            bought += ends.count { it }
            sold += ends.count { !it }
            if (bought > 0 && sold > 0) return@runBlocking
        }
        error("in $ROUNDS rounds $bought were bought and $sold sold to others: never both")
    }

    /** Whether the owner has the seat; otherwise the other one has it. */
    private suspend fun atTheEnd(name: String, number: Int): Boolean = coroutineScope {
        val event = events.open("end $name", 1, HOLD)
        val held = ledger.grant(event, listOf(request(event, "owner"))).single().granted()
        val confirmed = async {
            delay(HOLD + (4 * (number - RACERS / 2)).milliseconds)
            events.confirm(held.id)
        }
        val other = async {
            var answer = ledger.grant(event, listOf(request(event, "other"))).single()
            while (answer is Answer.TooFewSeats && !confirmed.isCompleted) {
                delay(1)
                answer = ledger.grant(event, listOf(request(event, "other"))).single()
            }
            answer
        }
        val isBought = confirmed.await() is Ending.Changed
        // Once more, since the last time may have been before the hold was over.
        val answer = other.await() as? Answer.Granted ?: ledger.grant(event, listOf(request(event, "other"))).single()
        (answer is Answer.Granted) shouldBe !isBought
        events.event(event)!!.let { it.remaining + it.held + it.confirmed } shouldBe 1
        isBought
    }

    @Test
    fun `a hold that is over while it is confirmed has one winner`() = runBlocking<Unit> {
        val event = events.open("meanwhile", 1, 1.seconds)
        val held = ledger.grant(event, listOf(request(event, "owner"))).single().granted()
        val pausing = Pausing(pool)
        val confirmed = async(Dispatchers.Default) { SqlLedger(pool.behind(pausing), Dispatchers.IO, seats).confirm(held.id) }
        // It has read that the hold is not over, and is about to write.
        until { pausing.isPausing }
        until { ledger.read(event, listOf(request(event, "other")))!!.remaining == 1 }
        val other = async(Dispatchers.Default) { ledger.grant(event, listOf(request(event, "other"))).single() }
        delay(300.milliseconds)
        pausing.goOn()
        // Who has locked the hold is told that he has it; MariaDB may see a deadlock in this, and have him try again when it is too late.
        val isBought = confirmed.await() is Ending.Changed
        (other.await() is Answer.Granted) shouldBe !isBought
        events.event(event)!!.let { listOf(it.remaining + it.held, it.confirmed) } shouldBe if (isBought) listOf(0, 1) else listOf(1, 0)
    }

    /** Stops before it writes what has become of a reservation. */
    private class Pausing(private val books: DataSource) : DataSource by books {
        private val arrived = CountDownLatch(1)
        private val gate = CountDownLatch(1)
        val isPausing: Boolean get() = arrived.count == 0L

        fun goOn() = gate.countDown()

        override fun getConnection(): Connection = Stopping(books.connection)

        private inner class Stopping(private val connection: Connection) : Connection by connection {
            override fun prepareStatement(sql: String): PreparedStatement {
                if (sql.startsWith("update reservation")) {
                    arrived.countDown()
                    gate.await()
                }
                return connection.prepareStatement(sql)
            }
        }
    }

    /** As a service does that the system has stopped. */
    protected fun whoSaysNothingLosesHisTransaction() = runBlocking<Unit> {
        val event = events.open("silent", 1, 10.minutes)
        pool.connection.use { silent ->
            silent.createStatement().use { it.executeUpdate("update event set remaining = 0 where id = $event") }
            val began = TimeSource.Monotonic.markNow()
            until { runCatching { ledger.grant(event, listOf(request(event, "other"))).single() }.getOrNull() is Answer.Granted }
            began.elapsedNow().inWholeSeconds.shouldBeBetween(3, 15)
            shouldThrow<SQLException> { silent.commit() }
        }
        events.event(event)!!.run { listOf(remaining, held) shouldBe listOf(0, 1) }
    }

    @Test
    fun `a rehearsal is no event to anybody, and leaves nothing`() = runBlocking<Unit> {
        val sale = events.open("sale", 5, 10.minutes)
        val rehearsal = store.openRehearsal(5, 10.minutes)
        val (a, b) = ledger.grant(rehearsal, listOf(request(rehearsal, "a", 2), request(rehearsal, "b"))).map { it.granted() }
        events.release(b.id).shouldBeInstanceOf<Ending.Changed>()
        ledger.grant(sale, listOf(request(sale, "a"))).single().granted()
        events.newest(1).single().id shouldBe sale
        events.event(rehearsal) shouldBe null
        listOf(sale, rehearsal).map { events.exists(it) } shouldBe listOf(true, false)
        store.endOldRehearsals(age = 1.minutes) shouldBe 0
        events.reservation(a.id) shouldBe a
        // Another service starts, long after the one that rehearsed was killed.
        (store.endOldRehearsals(age = (-1).minutes) >= 1) shouldBe true
        listOf(a, b).map { events.reservation(it.id) } shouldBe listOf(null, null)
        (ledger.grant(rehearsal, listOf(request(rehearsal, "c"))).single() is Answer.Granted) shouldBe false
        listOf(store.endOldRehearsals(age = (-1).minutes), events.newest(1).single().held) shouldBe listOf(0, 1)
        // What is for sale is not taken out by mistake.
        store.endRehearsal(sale)
        events.event(sale)!!.run { listOf(capacity, remaining, held) shouldBe listOf(5, 4, 1) }
    }

    /** How many: of a hold that is short, a busy machine sees the end before it should. */
    private fun endNow(which: String): Int = books { it.executeUpdate("update reservation set expires_at = made_at where $which") }

    private fun <T> books(work: (Statement) -> T): T = pool.connection.use { books ->
        books.createStatement().use(work).also { books.commit() }
    }

    private fun Answer.granted(): Reservation = shouldBeInstanceOf<Answer.Granted>().reservation

    /** Keys are unique over all events, so each test has its own. */
    private fun request(event: EventId, key: String, seats: Long = 1) =
        SeatRequest(event, IdempotencyKey.of("${event.number}-$key")!!, Seats.of(seats)!!, user = null)

    private suspend fun until(patience: Duration = 1.minutes, isTrue: suspend () -> Boolean) {
        repeat((patience / POLL).toInt()) { if (isTrue()) return else delay(POLL) }
        isTrue() shouldNotBe false
    }

    private companion object {
        val POLL = 10.milliseconds
        val HOLD = 200.milliseconds
        const val RACERS = 20
        const val ROUNDS = 20
    }
}
