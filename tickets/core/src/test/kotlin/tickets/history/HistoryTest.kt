package threadgauge.tickets.history

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.long
import io.kotest.property.checkAll
import java.util.Random
import java.util.UUID
import kotlin.math.max
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState

class HistoryTest {
    @Test
    fun `a correct sale breaks no promise`() = runTest {
        checkAll(200, Arb.long(), Arb.int(0..60)) { seed, capacity ->
            brokenPromises(sale(seed, capacity)).shouldBeEmpty()
        }
    }

    @Test
    fun `each broken promise is detected and named`() = runTest {
        checkAll(100, Arb.long()) { seed ->
            val good = sale(seed, capacity = 20)
            fun broken(history: History) = brokenPromises(history).map { it.promise }
            val last = good.entries.last { it.state.takesSeats }
            val granted = good.reserves.first { it.result is ReserveResult.Granted }
            val other = UUID.randomUUID()
            fun changed(entries: List<LedgerEntry>) = broken(good.copy(entries = entries))
            fun replaced(change: (LedgerEntry) -> LedgerEntry) =
                changed(good.entries.map { if (it.key == granted.key) change(it) else it })
            changed(good.entries + last.copy(id = other, key = key("more"), seats = 20)) shouldContain
                Promise.NO_OVERSELL
            changed(good.entries.filter { it.key != granted.key }) shouldContain Promise.DURABLE
            changed(good.entries + last.copy(id = other)) shouldContain Promise.ONCE
            replaced { it.copy(id = other) } shouldContain Promise.ONCE
            replaced { it.copy(seats = it.seats + 1) } shouldContain Promise.DURABLE
            changed(good.entries + last.copy(id = other, key = key("nobody"))) shouldContain
                Promise.NOTHING_UNREQUESTED
            val unbalanced = LedgerSnapshot(remaining = 1, held = 3, confirmed = 17)
            broken(good.copy(snapshots = listOf(unbalanced))) shouldContainExactly listOf(Promise.BALANCED)
        }
    }

    @Test
    fun `sold out is untrue before all seats could be taken, and true after`() {
        val calls = listOf(
            granted("a", 5, from = 0, to = 10),
            granted("b", 4, from = 20, to = 30),
            granted("c", 1, from = 40, to = 50),
        )
        val entries = calls.map {
            LedgerEntry((it.result as ReserveResult.Granted).reservation, it.key, it.seats, ReservationState.HELD)
        }
        fun soldOut(seats: Int, from: Long, to: Long?): List<Promise> {
            val rejected = Call.Reserve(from, to, key("x"), seats, ReserveResult.SoldOut)
            return brokenPromises(History(10, calls + rejected, entries)).map { it.promise }
        }
        val untrue = listOf(Promise.TRUE_SOLD_OUT)
        soldOut(1, from = 1, to = 39) shouldBe untrue
        soldOut(1, from = 1, to = 40).shouldBeEmpty()
        soldOut(1, from = 60, to = 70).shouldBeEmpty()
        soldOut(6, from = 11, to = 12).shouldBeEmpty()
        soldOut(5, from = 11, to = 19) shouldBe untrue
        soldOut(5, from = 11, to = null).shouldBeEmpty()
    }

    @Test
    fun `released seats may not be called sold out, but during the release they may`() {
        val a = granted("a", 10, from = 0, to = 10)
        val id = (a.result as ReserveResult.Granted).reservation
        val release = Call.End(20, 30, id, ReservationState.RELEASED, done = true)
        val entry = LedgerEntry(id, a.key, 10, ReservationState.RELEASED)
        fun soldOut(from: Long, to: Long, calls: List<Call> = listOf(a, release)) =
            brokenPromises(
                History(10, calls + Call.Reserve(from, to, key("x"), 1, ReserveResult.SoldOut), listOf(entry)),
            ).map { it.promise }
        soldOut(25, 60).shouldBeEmpty()
        soldOut(31, 60) shouldBe listOf(Promise.TRUE_SOLD_OUT)
        // A release without an answer may have taken effect at any time.
        soldOut(31, 60, listOf(a, release.copy(endNanos = null, done = null))).shouldBeEmpty()
    }

    @Test
    fun `an answered end of a hold must be in the ledger`() {
        val a = granted("a", 1, from = 0, to = 10)
        val id = (a.result as ReserveResult.Granted).reservation
        fun ended(how: ReservationState, state: ReservationState, done: Boolean? = true): List<Promise> {
            val calls = listOf(a, Call.End(20, 30, id, how, done))
            return brokenPromises(History(1, calls, listOf(LedgerEntry(id, a.key, 1, state)))).map { it.promise }
        }
        ended(ReservationState.CONFIRMED, ReservationState.CONFIRMED).shouldBeEmpty()
        ended(ReservationState.CONFIRMED, ReservationState.EXPIRED) shouldBe listOf(Promise.ENDED)
        ended(ReservationState.RELEASED, ReservationState.HELD) shouldBe listOf(Promise.ENDED)
        // Releasing an expired hold succeeds.
        ended(ReservationState.RELEASED, ReservationState.EXPIRED).shouldBeEmpty()
        // An answer that the hold had ended in another way must be true.
        ended(ReservationState.CONFIRMED, ReservationState.EXPIRED, done = false).shouldBeEmpty()
        ended(ReservationState.CONFIRMED, ReservationState.HELD, done = false) shouldBe listOf(Promise.ENDED)
        ended(ReservationState.RELEASED, ReservationState.RELEASED, done = false) shouldBe listOf(Promise.ENDED)
        ended(ReservationState.CONFIRMED, ReservationState.HELD, done = null).shouldBeEmpty()
    }

    @Test
    fun `the maximum of seats taken equals that of counting moment by moment`() = runTest {
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
    fun `one wrong answer in a long sale is detected`() {
        val history = sale(1, capacity = 60_000, calls = 100_000)
        brokenPromises(history).shouldBeEmpty()
        val lie = Call.Reserve(30, 40, key("lie"), 1, ReserveResult.SoldOut)
        brokenPromises(history.copy(calls = history.calls + lie)).map { it.promise } shouldContainExactly
            listOf(Promise.TRUE_SOLD_OUT)
    }
}

/** A sale with overlapping calls, some without an answer. Some clients release or confirm. */
private fun sale(seed: Long, capacity: Int, calls: Int = 120): History {
    val random = Random(seed)
    var remaining = capacity
    val history = ArrayList<Call>()
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
        history += Call.Reserve(begin, end, key("k$n"), seats, if (end == null) ReserveResult.Unknown else result)
        if (result is ReserveResult.Granted && end != null && random.nextInt(4) == 0) {
            val how = if (random.nextBoolean()) ReservationState.RELEASED else ReservationState.CONFIRMED
            if (how == ReservationState.RELEASED) remaining += seats
            entries[entries.lastIndex] = entries.last().copy(state = how)
            history += Call.End(at, at + 1, result.reservation, how, done = true)
        }
    }
    val held = entries.filter { it.state == ReservationState.HELD }.sumOf { it.seats }
    val confirmed = entries.filter { it.state == ReservationState.CONFIRMED }.sumOf { it.seats }
    return History(capacity, history, entries, listOf(LedgerSnapshot(remaining, held, confirmed)))
}

/** Brute force: every grant at every moment. */
private fun counted(history: History, from: Long, to: Long): Long = (from..to).maxOf { at ->
    history.entries.sumOf { entry ->
        val requested = history.reserves.filter { it.key == entry.key }.minOf { it.beginNanos }
        val ended = history.calls.filterIsInstance<Call.End>()
            .filter { it.reservation == entry.id && it.how == ReservationState.RELEASED }
            .mapNotNull { it.endNanos }.minOrNull()
        // Still taken at the moment of its end: other events of that moment may have come first.
        if (requested <= at && (ended == null || at <= ended)) entry.seats.toLong() else 0L
    }
}

private fun granted(name: String, seats: Int, from: Long, to: Long) =
    Call.Reserve(from, to, key(name), seats, ReserveResult.Granted(UUID.randomUUID()))

private fun key(text: String) = IdempotencyKey.of(text)!!
