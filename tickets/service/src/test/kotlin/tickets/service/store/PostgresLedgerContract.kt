package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.service.TestPostgres
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds

@Tag("processes")
class PostgresLedgerContract : SqlLedgerContract(POOL) {
    @Test
    fun `books that a crash could change are refused`() {
        val unsafe = TestPostgres.address.copy(jdbc = "${TestPostgres.address.jdbc}?options=-c%20synchronous_commit=off")
        shouldThrow<StartupError> { openPool(unsafe, 1) }.message shouldContain "synchronous_commit = off"
        val nowhere = TestPostgres.address.copy(jdbc = "jdbc:postgresql://127.0.0.1:1/x")
        shouldThrow<StartupError> { openPool(nowhere, 1) }.message shouldContain "cannot be used: Connection refused"
    }

    @Test
    fun `who says nothing in the middle of a transaction loses it, and others go on`() = whoSaysNothingLosesHisTransaction()

    /** A sale opens on a day on which the database has not yet counted what is in it, and then plans as if there were nothing. */
    @Test
    fun `rows are found by their keys, however few the database believes there are`() = runBlocking<Unit> {
        val event = store.open("noon", 1_000_000, 1.hours)
        fun requests(batch: Int) = List(250) { SeatRequest(event, IdempotencyKey.of("$event-$batch-$it")!!, Seats.of(1)!!) }
        repeat(20) { store.grant(event, requests(it)) }
        val before = rowsRead()
        repeat(20) { store.grant(event, requests(it + 20)) }
        store.read(event, requests(0))
        store.grantRow(SeatRequest(event, IdempotencyKey.of("$event-row")!!, Seats.of(1)!!))
        // The look finds 250; 5,001 new keys are found nowhere.
        rowsRead() - before shouldBeLessThan 1_000L
    }

    /** Of the reservations, by all connections, which tell what they did once a second at most. */
    private suspend fun rowsRead(): Long {
        delay(1_100.milliseconds)
        // Which itself must read none.
        repeat(CONNECTIONS) { store.exists(EventId(1)) }
        delay(200.milliseconds)
        return POOL.connection.use { books ->
            books.createStatement().use { statement ->
                statement.executeQuery(READ).use { row ->
                    row.next()
                    row.getLong(1).also { books.commit() }
                }
            }
        }
    }

    @Test
    fun `identifiers grow with the time, and their other bits do not`() {
        val ids = List(1_000) { newReservationId(millis = 1_000_000_000_000L + it) }
        ids.map { it.toString() }.sorted() shouldBe ids.map { it.toString() }
        ids.all { it.version() == 7 && it.variant() == 2 } shouldBe true
        ids.map { it.leastSignificantBits }.distinct().size shouldBe 1_000
    }

    companion object {
        private const val CONNECTIONS = 8
        private const val READ = """select (select seq_tup_read from pg_stat_user_tables where relname = 'reservation') +
            (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'reservation')"""
        private val POOL by lazy { openPool(TestPostgres.address, CONNECTIONS) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
