package threadgauge.tickets.faults

import io.kotest.matchers.ints.shouldBeGreaterThan
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import threadgauge.tickets.faults.Crowd.Companion.underLoad
import threadgauge.tickets.rules.IdempotencyKey

@Tag("processes")
class FullDiskTest {
    /** A limit on the file size makes writes fail as on a full disk. */
    @TestFactory
    fun `a full disk costs answers, but breaks no promise`() =
        LedgerKind.entries.map { dynamicTest(it.option) { sell(it) } }

    private fun sell(kind: LedgerKind) {
        FaultScenario(kind).use { scenario ->
            val database = scenario.database
            val service = scenario.service("batch").also { it.awaitReady() }
            val crowd = Crowd(scenario, service, CAPACITY, CLIENTS, maxAttempts = 1)
            // Other files have up to 16 MB, so the table must be larger for its file to be the one that reaches the
            // limit.
            database.maxFileBytes = database.fill() + FREE_BYTES
            database.kill()
            service.awaitReady()
            val unknown = AtomicInteger()
            fun TicketClient.requestAndCount(key: IdempotencyKey) {
                requestSeats(key)
                if (unresolved.isNotEmpty()) unknown.incrementAndGet()
            }
            listOf(crowd).underLoad(TicketClient::requestAndCount) {
                await("a full disk") { Unit.takeIf { database.hasLogged(FULL.getValue(kind)) } }
                val before = unknown.get()
                await("requests with unknown outcomes") { Unit.takeIf { unknown.get() >= before + CLIENTS } }
            }
            crowd.clients.sumOf { it.unresolved.size } shouldBeGreaterThan 0
            database.maxFileBytes = null
            database.kill()
            service.awaitReady()
            crowd.check()
        }
    }

    /** Inserts reservations of an unused event, and returns the size of their table in bytes. */
    private fun LedgerDatabase.fill(): Long = query { connection ->
        connection.createStatement().use { statement ->
            FILL.getValue(kind).forEach(statement::execute)
            statement.executeQuery(SIZE.getValue(kind)).use { it.next(); it.getLong(1) }
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val FREE_BYTES = 200_000L
        const val CLIENTS = 16
        const val INTO = "insert into reservation (id, event, idempotency_key, seats, state, expires_at)"
        val FILL = mapOf(
            LedgerKind.POSTGRESQL to listOf(
                "insert into event (name, capacity, remaining, hold) values ('old', 180000, 0, interval '1 day')",
                "$INTO select gen_random_uuid(), lastval(), 'old-' || n, 1, 'CONFIRMED', now() " +
                    "from generate_series(1, 180000) n",
            ),
            LedgerKind.MARIADB to listOf(
                "insert into event (name, capacity, remaining, hold) values ('old', 180000, 0, 86400)",
                "$INTO select uuid(), last_insert_id(), concat('old-', seq), 1, 'CONFIRMED', now() " +
                    "from seq_1_to_180000",
            ),
        )
        val FULL = mapOf(LedgerKind.POSTGRESQL to "File too large", LedgerKind.MARIADB to "is full")
        val SIZE = mapOf(
            LedgerKind.POSTGRESQL to "select pg_relation_size('reservation')",
            LedgerKind.MARIADB to
                "select file_size from information_schema.innodb_sys_tablespaces where name like '%/reservation'",
        )
    }
}
