package threadgauge.tickets.service.store

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.service.StartupError
import threadgauge.tickets.service.TestPostgres

/** The ledger in PostgreSQL, with seats as a counter. */
@Tag("processes")
class PostgresLedgerContract : SqlLedgerContract(POOL) {
    @Test
    fun `a database that may lose commits is rejected`() {
        val address = TestPostgres.address
        val unsafe = address.copy(jdbc = "${address.jdbc}?options=-c%20synchronous_commit=off")
        shouldThrow<StartupError> { openPool(unsafe, 1) }.message shouldContain "synchronous_commit = off"
        val nowhere = address.copy(jdbc = "jdbc:postgresql://127.0.0.1:1/x")
        shouldThrow<StartupError> { openPool(nowhere, 1) }.message shouldContain "cannot be used: Connection refused"
    }

    @Test
    fun `an idle transaction is rolled back, and others go on`() = idleTransactionIsRolledBack()

    /** The database has no statistics on the first day of a sale, and plans as if its tables were empty. */
    @Test
    fun `rows are found by index, even without statistics`() = runBlocking<Unit> {
        val event = store.open("noon", 1_000_000, 1.hours)
        fun requests(batch: Int) = List(250) { request(event, "$batch-$it") }
        repeat(20) { store.grant(event, requests(it)) }
        val before = rowsRead()
        repeat(20) { store.grant(event, requests(it + 20)) }
        store.read(event, requests(0))
        store.grantRow(request(event, "row"))
        // The read finds 250 rows; 5,001 new keys find none.
        rowsRead() - before shouldBeLessThan 1_000L
    }

    /** Rows of reservations read by all connections, which report once a second at most. */
    private suspend fun rowsRead(): Long {
        delay(1_100.milliseconds)
        // A query on each connection that reads no reservation, to make it report.
        repeat(CONNECTIONS) { store.exists(EventId(1)) }
        delay(200.milliseconds)
        return POOL.connection.use { connection ->
            connection.createStatement().use { statement ->
                statement.executeQuery(READ).use { row ->
                    row.next()
                    row.getLong(1).also { connection.commit() }
                }
            }
        }
    }

    @Test
    fun `identifiers ascend with time, and their other bits are random`() {
        val ids = List(1_000) { newReservationId(millis = 1_000_000_000_000L + it) }
        ids.map { it.toString() }.sorted() shouldBe ids.map { it.toString() }
        ids.all { it.version() == 7 && it.variant() == 2 } shouldBe true
        ids.map { it.leastSignificantBits }.distinct().size shouldBe 1_000
    }

    companion object {
        private const val CONNECTIONS = 8
        private const val READ = """select
            (select seq_tup_read from pg_stat_user_tables where relname = 'reservation') +
            (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'reservation')"""
        private val POOL by lazy { openPool(TestPostgres.address, CONNECTIONS) }

        @JvmStatic
        @AfterAll
        fun close() = POOL.close()
    }
}
