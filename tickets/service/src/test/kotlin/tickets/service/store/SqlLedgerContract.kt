package threadgauge.tickets.service.store

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.sql.Statement
import java.util.UUID
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.ReservationState

/** What the ledger must do on every database, with every storage of seats. */
abstract class SqlLedgerContract(pool: LedgerPool, seats: SeatStorage = SeatStorage.COUNTER) :
    LedgerRaceContract(pool, seats) {
    @Test
    fun `an opened event is found, with all of its seats`() = runBlocking<Unit> {
        val id = events.open("Robert'); drop table event; --", 500, 10.minutes)
        events.event(id).let { event ->
            event!!.name shouldBe "Robert'); drop table event; --"
            listOf(event.capacity, event.remaining, event.held, event.confirmed) shouldBe listOf(500, 500, 0, 0)
            event.hold shouldBe 10.minutes
        }
        events.event(EventId(Long.MAX_VALUE)) shouldBe null
        ledger.read(EventId(Long.MAX_VALUE), listOf(request(id, "a"))) shouldBe null
        val unknown = request(EventId(Long.MAX_VALUE), "a")
        ledger.grant(EventId(Long.MAX_VALUE), listOf(unknown)) shouldBe listOf(Answer.NoSuchEvent)
    }

    @Test
    fun `a batch is granted in order, small after large, and the seats add up`() = runBlocking<Unit> {
        val event = events.open("order", 5, 10.minutes)
        val requests = listOf("a" to 3L, "b" to 4L, "c" to 2L, "d" to 1L)
        val answers = ledger.grant(event, requests.map { (key, seats) -> request(event, key, seats) })
        answers.map { it::class } shouldContainExactly
            listOf(Answer.Granted::class, Answer.TooFewSeats::class, Answer.Granted::class, Answer.TooFewSeats::class)
        answers[1] shouldBe Answer.TooFewSeats(2)
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(0, 5, 0) }
        val granted = answers[0].granted()
        events.reservation(granted.id) shouldBe granted
        granted.state shouldBe ReservationState.HELD
    }

    @Test
    fun `a known key gets its reservation again, but not for another request`() = runBlocking<Unit> {
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
    fun `a key belongs to one user`() = runBlocking<Unit> {
        val event = events.open("users", 10, 10.minutes)
        val hers = request(event, "a").copy(user = "hers")
        val first = ledger.grant(event, listOf(hers)).single().granted()
        first.user shouldBe "hers"
        val others = listOf("his", null).map { hers.copy(user = it) }
        val expected = listOf(Answer.KeyTaken, Answer.KeyTaken, Answer.Granted(first, isRepeat = true))
        ledger.grant(event, others + hers) shouldBe expected
        ledger.read(event, listOf(hers))!!.run { (others + hers).map { answer(it) } } shouldBe expected
        events.event(event)!!.held shouldBe 1
    }

    @Test
    fun `a retry is not confused with another request with its key earlier in the batch`() = runBlocking<Unit> {
        val event = events.open("after another", 10, 10.minutes)
        val first = ledger.grant(event, listOf(request(event, "a"))).single().granted()
        ledger.grant(event, listOf(request(event, "a", 2), request(event, "a"))) shouldBe
            listOf(Answer.KeyTaken, Answer.Granted(first, isRepeat = true))
    }

    @Test
    fun `repeated keys in one batch are one request`() = runBlocking<Unit> {
        val event = events.open("twice", 5, 10.minutes)
        val requests = listOf("a" to 4L, "a" to 4L, "a" to 1L, "b" to 2L, "b" to 2L, "b" to 1L)
        val answers = ledger.grant(event, requests.map { (key, seats) -> request(event, key, seats) })
        answers[1] shouldBe Answer.Granted(answers[0].granted(), isRepeat = true)
        answers[2] shouldBe Answer.KeyTaken
        answers[3] shouldBe Answer.TooFewSeats(1)
        answers[4] shouldBe Answer.TooFewSeats(1)
        // The request for two seats left nothing behind, so the key may be used for one seat.
        answers[5].granted().seats.count shouldBe 1
        events.event(event)!!.held shouldBe 5
    }

    @Test
    fun `a hold is confirmed or released once, and released seats are for sale again`() = runBlocking<Unit> {
        val event = events.open("ends", 3, 10.minutes)
        val (a, b) = ledger.grant(event, listOf(request(event, "a", 2), request(event, "b"))).map { it.granted() }
        events.confirm(a.id).shouldBeInstanceOf<Ending.Changed>()
        events.confirm(a.id).shouldBeInstanceOf<Ending.Unchanged>().reservation.state shouldBe
            ReservationState.CONFIRMED
        events.release(a.id).shouldBeInstanceOf<Ending.TooLate>()
        events.release(b.id).shouldBeInstanceOf<Ending.Changed>()
        events.release(b.id).shouldBeInstanceOf<Ending.Unchanged>()
        events.confirm(b.id).shouldBeInstanceOf<Ending.TooLate>().reservation.state shouldBe ReservationState.RELEASED
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(1, 0, 2) }
        ledger.grant(event, listOf(request(event, "c"))).single().granted()
        // The key keeps its reservation, even though that was released.
        ledger.grant(event, listOf(request(event, "b"))).single().granted().state shouldBe ReservationState.RELEASED
        fun unknown() = UUID.randomUUID()
        listOf(events.confirm(unknown()), events.release(unknown()), events.reservation(unknown())) shouldBe
            listOf(null, null, null)
    }

    @Test
    fun `seats of an expired hold are for sale again, and it cannot be confirmed`() = runBlocking<Unit> {
        val event = events.open("over", 2, 10.minutes)
        val (a, b) = ledger.grant(event, listOf(request(event, "a"), request(event, "b"))).map { it.granted() }
        events.confirm(b.id).shouldBeInstanceOf<Ending.Changed>()
        ledger.read(event, listOf(request(event, "c")))!!.remaining shouldBe 0
        expireNow("id = '${a.id}'") shouldBe 1
        ledger.read(event, listOf(request(event, "c")))!!.remaining shouldBe 1
        events.reservation(a.id)!!.state shouldBe ReservationState.EXPIRED
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(1, 0, 1) }
        events.confirm(a.id).shouldBeInstanceOf<Ending.TooLate>()
        // A retry of the first request is not answered with a held seat.
        val known = ledger.read(event, listOf(request(event, "a")))!!.known
        known.values.single().state shouldBe ReservationState.EXPIRED
        ledger.grant(event, listOf(request(event, "c"), request(event, "d"))).map { it::class } shouldBe
            listOf(Answer.Granted::class, Answer.TooFewSeats::class)
        events.release(a.id).shouldBeInstanceOf<Ending.Unchanged>().reservation.state shouldBe ReservationState.EXPIRED
        events.event(event)!!.run { listOf(remaining, held, confirmed) shouldBe listOf(0, 1, 1) }
    }

    @Test
    fun `no more holds are expired at a time than seats are requested`() = runBlocking<Unit> {
        val event = events.open("rush", 50, 10.minutes)
        ledger.grant(event, List(50) { request(event, "early-$it") }).forEach { it.granted() }
        expireNow("event = $event") shouldBe 50
        events.event(event)!!.remaining shouldBe 50
        ledger.grant(event, listOf(request(event, "late"))).single().granted()
        val expired = "select count(*) from reservation where event = $event and state = 'EXPIRED'"
        // With seat rows others may take freed seats, so more holds are expired at once.
        execute { it.executeQuery(expired).use { rows -> rows.next(); rows.getInt(1) } } shouldBe
            if (seats == SeatStorage.ROWS) 50 else 1
        ledger.grant(event, List(60) { request(event, "later-$it") }).count { it is Answer.Granted } shouldBe 49
        events.event(event)!!.run { listOf(remaining, held) shouldBe listOf(0, 50) }
    }

    @Test
    fun `a rehearsal is visible to no client and leaves nothing`() = runBlocking<Unit> {
        val sale = events.open("sale", 5, 10.minutes)
        val rehearsal = store.openRehearsal(5, 10.minutes)
        val requests = listOf(request(rehearsal, "a", 2), request(rehearsal, "b"))
        val (a, b) = ledger.grant(rehearsal, requests).map { it.granted() }
        events.release(b.id).shouldBeInstanceOf<Ending.Changed>()
        ledger.grant(sale, listOf(request(sale, "a"))).single().granted()
        events.newest(1).single().id shouldBe sale
        events.event(rehearsal) shouldBe null
        listOf(sale, rehearsal).map { events.exists(it) } shouldBe listOf(true, false)
        store.endOldRehearsals(age = 1.minutes) shouldBe 0
        events.reservation(a.id) shouldBe a
        // As when another service starts, long after the one that rehearsed was killed.
        (store.endOldRehearsals(age = (-1).minutes) >= 1) shouldBe true
        listOf(a, b).map { events.reservation(it.id) } shouldBe listOf(null, null)
        (ledger.grant(rehearsal, listOf(request(rehearsal, "c"))).single() is Answer.Granted) shouldBe false
        listOf(store.endOldRehearsals(age = (-1).minutes), events.newest(1).single().held) shouldBe listOf(0, 1)
        // An event on sale is never deleted.
        store.endRehearsal(sale)
        events.event(sale)!!.run { listOf(capacity, remaining, held) shouldBe listOf(5, 4, 1) }
    }

    /** Expires holds and returns their number. Short holds instead could expire too early on a busy machine. */
    private fun expireNow(condition: String): Int =
        execute { it.executeUpdate("update reservation set expires_at = made_at where $condition") }

    private fun <T> execute(work: (Statement) -> T): T = pool.connection.use { connection ->
        connection.createStatement().use(work).also { connection.commit() }
    }
}
