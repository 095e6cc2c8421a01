package threadgauge.tickets.history

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.long
import io.kotest.property.checkAll
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import java.util.Random
import java.util.UUID
import kotlin.math.max

class HistoryTest {
    @Test
    fun `a sale as it should be breaks nothing`() = runTest {
        checkAll(200, Arb.long(), Arb.int(0..60)) { seed, capacity -> brokenPromises(sale(seed, capacity)).shouldBeEmpty() }
    }

    @Test
    fun `each broken promise is seen, and named`() = runTest {
        checkAll(100, Arb.long()) { seed ->
            val good = sale(seed, capacity = 20)
            fun broken(history: History) = brokenPromises(history).map { it.promise }
            val last = good.entries.last { it.state.takesSeats }
            val told = good.reserves.first { it.result is ReserveResult.Granted }
            val other = UUID.randomUUID()
            broken(good.copy(entries = good.entries + last.copy(id = other, key = key("more"), seats = 20))) shouldContain
                Promise.NO_OVERSELL
            broken(good.copy(entries = good.entries.filter { it.key != told.key })) shouldContain Promise.DURABLE
            broken(good.copy(entries = good.entries + last.copy(id = other))) shouldContain Promise.ONCE
            broken(good.copy(entries = good.entries.map { if (it.key == told.key) it.copy(id = other) else it })) shouldContain Promise.ONCE
            broken(good.copy(entries = good.entries.map { if (it.key == told.key) it.copy(seats = it.seats + 1) else it })) shouldContain
                Promise.DURABLE
            broken(good.copy(entries = good.entries + last.copy(id = other, key = key("nobody")))) shouldContain Promise.NOTHING_UNREQUESTED
            broken(good.copy(snapshots = listOf(LedgerSnapshot(remaining = 1, held = 3, confirmed = 17)))) shouldContainExactly
                listOf(Promise.BALANCED)
        }
    }

    @Test
    fun `sold out before all could be taken is untrue, and true once they could`() {
        val calls = listOf(granted("a", 5, from = 0, to = 10), granted("b", 4, from = 20, to = 30), granted("c", 1, from = 40, to = 50))
        val books = calls.map { LedgerEntry((it.result as ReserveResult.Granted).reservation, it.key, it.seats, ReservationState.HELD) }
        fun soldOut(seats: Int, from: Long, to: Long?) =
            brokenPromises(History(10, calls + Call.Reserve(from, to, key("x"), seats, ReserveResult.SoldOut), books)).map { it.promise }
        val untrue = listOf(Promise.TRUE_SOLD_OUT)
        soldOut(1, from = 1, to = 39) shouldBe untrue
        soldOut(1, from = 1, to = 40).shouldBeEmpty()
        soldOut(1, from = 60, to = 70).shouldBeEmpty()
        soldOut(6, from = 11, to = 12).shouldBeEmpty()
        soldOut(5, from = 11, to = 19) shouldBe untrue
        soldOut(5, from = 11, to = null).shouldBeEmpty()
    }

    @Test
    fun `seats that were given back may not be told as sold, but as long as the release goes on they may`() {
        val a = granted("a", 10, from = 0, to = 10)
        val id = (a.result as ReserveResult.Granted).reservation
        val release = Call.End(20, 30, id, ReservationState.RELEASED, done = true)
        val entry = LedgerEntry(id, a.key, 10, ReservationState.RELEASED)
        fun soldOut(from: Long, to: Long, calls: List<Call> = listOf(a, release)) =
            brokenPromises(History(10, calls + Call.Reserve(from, to, key("x"), 1, ReserveResult.SoldOut), listOf(entry)))
                .map { it.promise }
        soldOut(25, 60).shouldBeEmpty()
        soldOut(31, 60) shouldBe listOf(Promise.TRUE_SOLD_OUT)
        // Nobody was told of the release: it may have come at any time.
        soldOut(31, 60, listOf(a, release.copy(endNanos = null, done = null))).shouldBeEmpty()
    }

    @Test
    fun `an end that was told must be in the books`() {
        val a = granted("a", 1, from = 0, to = 10)
        val id = (a.result as ReserveResult.Granted).reservation
        fun told(how: ReservationState, state: ReservationState, done: Boolean? = true) =
            brokenPromises(History(1, listOf(a, Call.End(20, 30, id, how, done)), listOf(LedgerEntry(id, a.key, 1, state)))).map { it.promise }
        told(ReservationState.CONFIRMED, ReservationState.CONFIRMED).shouldBeEmpty()
        told(ReservationState.CONFIRMED, ReservationState.EXPIRED) shouldBe listOf(Promise.ENDED)
        told(ReservationState.RELEASED, ReservationState.HELD) shouldBe listOf(Promise.ENDED)
        // A hold that is over by itself need not be given back.
        told(ReservationState.RELEASED, ReservationState.EXPIRED).shouldBeEmpty()
        // Nobody is told that it has ended otherwise where it has not.
        told(ReservationState.CONFIRMED, ReservationState.EXPIRED, done = false).shouldBeEmpty()
        told(ReservationState.CONFIRMED, ReservationState.HELD, done = false) shouldBe listOf(Promise.ENDED)
        told(ReservationState.RELEASED, ReservationState.RELEASED, done = false) shouldBe listOf(Promise.ENDED)
        told(ReservationState.CONFIRMED, ReservationState.HELD, done = null).shouldBeEmpty()
    }

    @Test
    fun `the most seats that could be taken are those that counting moment by moment finds`() = runTest {
        checkAll(50, Arb.long()) { seed ->
            val history = sale(seed, capacity = 15)
            val random = Random(seed)
            val taken = SeatsTaken(history)
            repeat(20) {
                val from = random.nextInt(400).toLong()
                val to = from + random.nextInt(100)
                taken.maxBetween(from, to) shouldBe counted(history, from, to)
            }
        }
    }

    @Test
    fun `a long sale is checked, too, and one wrong answer in it is found`() {
        val history = sale(1, capacity = 60_000, calls = 100_000)
        brokenPromises(history).shouldBeEmpty()
        val lie = Call.Reserve(30, 40, key("lie"), 1, ReserveResult.SoldOut)
        brokenPromises(history.copy(calls = history.calls + lie)).map { it.promise } shouldContainExactly listOf(Promise.TRUE_SOLD_OUT)
    }
}

/** A sale in which callers come one after another but overlap, some get no answer, and some give back or confirm. */
private fun sale(seed: Long, capacity: Int, calls: Int = 120): History {
    val random = Random(seed)
    var remaining = capacity
    val heard = ArrayList<Call>()
    val entries = ArrayList<LedgerEntry>()
    repeat(calls) { n ->
        val at = 3L * n
        val begin = max(0, at - random.nextInt(20))
        val end = if (random.nextInt(20) == 0) null else at + random.nextInt(20)
        val seats = 1 + random.nextInt(3)
        val result = if (seats > remaining) ReserveResult.SoldOut else {
            val entry = LedgerEntry(UUID(seed, n.toLong()), key("k$n"), seats, ReservationState.HELD)
            remaining -= seats
            entries += entry
            ReserveResult.Granted(entry.id)
        }
        heard += Call.Reserve(begin, end, key("k$n"), seats, if (end == null) ReserveResult.Unknown else result)
        if (result is ReserveResult.Granted && end != null && random.nextInt(4) == 0) {
            val how = if (random.nextBoolean()) ReservationState.RELEASED else ReservationState.CONFIRMED
            if (how == ReservationState.RELEASED) remaining += seats
            entries[entries.lastIndex] = entries.last().copy(state = how)
            heard += Call.End(at, at + 1, result.reservation, how, done = true)
        }
    }
    val held = entries.filter { it.state == ReservationState.HELD }.sumOf { it.seats }
    val confirmed = entries.filter { it.state == ReservationState.CONFIRMED }.sumOf { it.seats }
    return History(capacity, heard, entries, listOf(LedgerSnapshot(remaining, held, confirmed)))
}

/** The slow way: every grant against every moment. */
private fun counted(history: History, from: Long, to: Long): Long = (from..to).maxOf { at ->
    history.entries.sumOf { entry ->
        val asked = history.reserves.filter { it.key == entry.key }.minOf { it.beginNanos }
        val ended = history.calls.filterIsInstance<Call.End>()
            .filter { it.reservation == entry.id && it.how == ReservationState.RELEASED }.mapNotNull { it.endNanos }.minOrNull()
        // At the moment of the end it is taken: the end may have come after whatever else happened then.
        if (asked <= at && (ended == null || at <= ended)) entry.seats.toLong() else 0L
    }
}

private fun granted(name: String, seats: Int, from: Long, to: Long) =
    Call.Reserve(from, to, key(name), seats, ReserveResult.Granted(UUID.randomUUID()))

private fun key(text: String) = IdempotencyKey.of(text)!!
