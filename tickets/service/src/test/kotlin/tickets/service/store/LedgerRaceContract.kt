package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeBetween
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.SQLException
import java.util.Random
import java.util.concurrent.CountDownLatch
import javax.sql.DataSource
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.Ledger

/** What the ledger must do if transactions race. Part of [SqlLedgerContract], which runs it on every database. */
abstract class LedgerRaceContract(protected val pool: LedgerPool, protected val seats: SeatStorage) {
    protected val store = SqlLedger(pool, Dispatchers.IO, seats)
    protected val ledger: Ledger get() = store
    protected val events: EventService get() = store

    @Test
    fun `concurrent sellers sell each seat once`() = runBlocking<Unit> {
        val event = events.open("many", 300, 10.minutes)
        val answers = coroutineScope {
            List(8) { seller ->
                async(Dispatchers.Default) {
                    val random = Random(seller.toLong())
                    // Pairs of sellers share keys, as when clients retry at another service.
                    List(25) { n ->
                        delay(random.nextLong(2))
                        val requests = List(4) {
                            request(event, "k${(seller / 2) * 100 + n * 4 + it}", 1L + (n + it) % 3)
                        }
                        ledger.grant(event, requests)
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
    fun `concurrent confirm and release have one winner, and no seat is lost`() = runBlocking<Unit> {
        val event = events.open("race", 40, 10.minutes)
        val held = ledger.grant(event, List(40) { request(event, "r$it") }).map { it.granted() }
        val endings = coroutineScope {
            held.flatMap {
                val confirmed = async(Dispatchers.Default) { events.confirm(it.id) }
                listOf(confirmed, async(Dispatchers.Default) { events.release(it.id) })
            }.awaitAll()
        }
        endings.count { it is Ending.Changed } shouldBe 40
        endings.count { it is Ending.TooLate } shouldBe 40
        events.event(event)!!.run { remaining + confirmed shouldBe 40 }
        events.event(event)!!.held shouldBe 0
    }

    /** A hold is confirmed at the moment of its end, while another client requests the seat. */
    @Test
    fun `confirming a hold and selling its seat at its end has one winner`() = runBlocking<Unit> {
        var confirmedCount = 0
        var soldCount = 0
        for (round in 1..ROUNDS) {
            val ends = coroutineScope {
                List(RACERS) { n -> async(Dispatchers.Default) { raceAtEnd("$round-$n", n) } }.awaitAll()
            }
            confirmedCount += ends.count { it }
            soldCount += ends.count { !it }
            if (confirmedCount > 0 && soldCount > 0) return@runBlocking
        }
        error("in $ROUNDS rounds $confirmedCount holds were confirmed and $soldCount seats sold: never both")
    }

    /** True if the owner has confirmed the hold; otherwise the other client has the seat. */
    private suspend fun raceAtEnd(name: String, number: Int): Boolean = coroutineScope {
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
        val isConfirmed = confirmed.await() is Ending.Changed
        // Once more, since the last attempt may have been before the end of the hold.
        val answer = other.await() as? Answer.Granted ?: ledger.grant(event, listOf(request(event, "other"))).single()
        (answer is Answer.Granted) shouldBe !isConfirmed
        events.event(event)!!.let { it.remaining + it.held + it.confirmed } shouldBe 1
        isConfirmed
    }

    @Test
    fun `a hold that expires during its confirmation has one winner`() = runBlocking<Unit> {
        val event = events.open("meanwhile", 1, 1.seconds)
        val held = ledger.grant(event, listOf(request(event, "owner"))).single().granted()
        val pausing = Pausing(pool)
        val paused = SqlLedger(pool.behind(pausing), Dispatchers.IO, seats)
        val confirmed = async(Dispatchers.Default) { paused.confirm(held.id) }
        // It has read that the hold has not expired, and is about to write.
        until { pausing.isPausing }
        until { ledger.read(event, listOf(request(event, "other")))!!.remaining == 1 }
        val other = async(Dispatchers.Default) { ledger.grant(event, listOf(request(event, "other"))).single() }
        delay(300.milliseconds)
        pausing.resume()
        // The transaction that locked the hold confirms it. MariaDB may detect a deadlock, and its retry comes too
        // late.
        val isConfirmed = confirmed.await() is Ending.Changed
        (other.await() is Answer.Granted) shouldBe !isConfirmed
        events.event(event)!!.let { listOf(it.remaining + it.held, it.confirmed) } shouldBe
            if (isConfirmed) listOf(0, 1) else listOf(1, 0)
    }

    /** A data source that pauses before updates of reservations. */
    private class Pausing(private val source: DataSource) : DataSource by source {
        private val arrived = CountDownLatch(1)
        private val gate = CountDownLatch(1)
        val isPausing: Boolean get() = arrived.count == 0L

        fun resume() = gate.countDown()

        override fun getConnection(): Connection = PausingConnection(source.connection)

        private inner class PausingConnection(private val connection: Connection) : Connection by connection {
            override fun prepareStatement(sql: String): PreparedStatement {
                if (sql.startsWith("update reservation")) {
                    arrived.countDown()
                    gate.await()
                }
                return connection.prepareStatement(sql)
            }
        }
    }

    /** As of a service that is paused by the system. */
    protected fun idleTransactionIsRolledBack() = runBlocking<Unit> {
        val event = events.open("silent", 1, 10.minutes)
        pool.connection.use { idle ->
            idle.createStatement().use { it.executeUpdate("update event set remaining = 0 where id = $event") }
            val began = TimeSource.Monotonic.markNow()
            val other = listOf(request(event, "other"))
            until { runCatching { ledger.grant(event, other).single() }.getOrNull() is Answer.Granted }
            began.elapsedNow().inWholeSeconds.shouldBeBetween(3, 15)
            shouldThrow<SQLException> { idle.commit() }
        }
        events.event(event)!!.run { listOf(remaining, held) shouldBe listOf(0, 1) }
    }

    protected fun Answer.granted(): Reservation = shouldBeInstanceOf<Answer.Granted>().reservation

    /** Keys are unique over all events, so each test has its own. */
    protected fun request(event: EventId, key: String, seats: Long = 1) =
        SeatRequest(event, IdempotencyKey.of("${event.number}-$key")!!, Seats.of(seats)!!, user = null)

    private suspend fun until(timeout: Duration = 1.minutes, isTrue: suspend () -> Boolean) {
        repeat((timeout / POLL).toInt()) { if (isTrue()) return else delay(POLL) }
        isTrue() shouldNotBe false
    }

    private companion object {
        val POLL = 10.milliseconds
        val HOLD = 200.milliseconds
        const val RACERS = 20
        const val ROUNDS = 20
    }
}
