package threadgauge.tickets.faults

import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.TestFactory
import threadgauge.tickets.faults.Crowd.Companion.asking
import threadgauge.tickets.rules.IdempotencyKey
import java.util.concurrent.atomic.AtomicInteger

@Tag("processes")
class FullDiskTest {
    /** Databases refuse to write a file that becomes too large just as they do where the disk has no room. */
    @TestFactory
    fun `a disk that is full costs answers, and nothing that was promised`() =
        LedgerKind.entries.map { dynamicTest(it.word) { sell(it) } }

    private fun sell(kind: LedgerKind) {
        FaultScenario(kind).use { scenario ->
            val database = scenario.database
            val service = scenario.service("batch").also { it.awaitReady() }
            val crowd = Crowd(scenario, service, CAPACITY, CLIENTS, maxAttempts = 1)
            // What else it writes comes in files of at most 16 MB, so the table must be larger before it is the one that does not fit.
            database.maxFileBytes = database.fill() + ROOM
            database.kill()
            service.awaitReady()
            val losses = AtomicInteger()
            fun TicketClient.requestAndCount(key: IdempotencyKey) {
                requestSeats(key)
                if (unresolved.isNotEmpty()) losses.incrementAndGet()
            }
            listOf(crowd).asking(TicketClient::requestAndCount) {
                await("a disk that is full") { Unit.takeIf { database.hasLogged(FULL.getValue(kind)) } }
                val before = losses.get()
                await("callers whom nobody can tell anything") { Unit.takeIf { losses.get() >= before + CLIENTS } }
            }
            crowd.clients.sumOf { it.unresolved.size } shouldBeGreaterThan 0
            database.maxFileBytes = null
            database.kill()
            service.awaitReady()
            crowd.judge()
        }
    }

    /** Makes reservations of an event that nobody sells, and tells how many bytes their table then has. */
    private fun LedgerDatabase.fill(): Long = asked { database ->
        database.createStatement().use { statement ->
            FILL.getValue(kind).forEach(statement::execute)
            statement.executeQuery(SIZE.getValue(kind)).use { it.next(); it.getLong(1) }
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val ROOM = 200_000L
        const val CLIENTS = 16
        const val INTO = "insert into reservation (id, event, idempotency_key, seats, state, expires_at)"
        val FILL = mapOf(
            LedgerKind.POSTGRESQL to listOf(
                "insert into event (name, capacity, remaining, hold) values ('old', 180000, 0, interval '1 day')",
                "$INTO select gen_random_uuid(), lastval(), 'old-' || n, 1, 'CONFIRMED', now() from generate_series(1, 180000) n",
            ),
            LedgerKind.MARIADB to listOf(
                "insert into event (name, capacity, remaining, hold) values ('old', 180000, 0, 86400)",
                "$INTO select uuid(), last_insert_id(), concat('old-', seq), 1, 'CONFIRMED', now() from seq_1_to_180000",
            ),
        )
        val FULL = mapOf(LedgerKind.POSTGRESQL to "File too large", LedgerKind.MARIADB to "is full")
        val SIZE = mapOf(
            LedgerKind.POSTGRESQL to "select pg_relation_size('reservation')",
            LedgerKind.MARIADB to "select file_size from information_schema.innodb_sys_tablespaces where name like '%/reservation'",
        )
    }
}
