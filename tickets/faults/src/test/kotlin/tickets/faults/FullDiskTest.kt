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
        BooksKind.entries.map { dynamicTest(it.word) { sell(it) } }

    private fun sell(kind: BooksKind) {
        Stage(kind).use { stage ->
            val books = stage.books
            val service = stage.service("batch").also { it.awaitReady() }
            val crowd = Crowd(stage, service, CAPACITY, CALLERS, tries = 1)
            // What else it writes comes in files of at most 16 MB, so the table must be larger before it is the one that does not fit.
            books.mostFileBytes = books.fill() + ROOM
            books.kill()
            service.awaitReady()
            val losses = AtomicInteger()
            fun Caller.wishAndCount(key: IdempotencyKey) {
                wish(key)
                if (open.isNotEmpty()) losses.incrementAndGet()
            }
            listOf(crowd).asking(Caller::wishAndCount) {
                await("a disk that is full") { Unit.takeIf { books.hasSaid(FULL.getValue(kind)) } }
                val before = losses.get()
                await("callers whom nobody can tell anything") { Unit.takeIf { losses.get() >= before + CALLERS } }
            }
            crowd.callers.sumOf { it.open.size } shouldBeGreaterThan 0
            books.mostFileBytes = null
            books.kill()
            service.awaitReady()
            crowd.judge()
        }
    }

    /** Makes reservations of an event that nobody sells, and tells how many bytes their table then has. */
    private fun Books.fill(): Long = asked { books ->
        books.createStatement().use { statement ->
            FILL.getValue(kind).forEach(statement::execute)
            statement.executeQuery(SIZE.getValue(kind)).use { it.next(); it.getLong(1) }
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val ROOM = 200_000L
        const val CALLERS = 16
        const val INTO = "insert into reservation (id, event, idempotency_key, seats, state, expires_at)"
        val FILL = mapOf(
            BooksKind.POSTGRESQL to listOf(
                "insert into event (name, capacity, remaining, hold) values ('old', 180000, 0, interval '1 day')",
                "$INTO select gen_random_uuid(), lastval(), 'old-' || n, 1, 'CONFIRMED', now() from generate_series(1, 180000) n",
            ),
            BooksKind.MARIADB to listOf(
                "insert into event (name, capacity, remaining, hold) values ('old', 180000, 0, 86400)",
                "$INTO select uuid(), last_insert_id(), concat('old-', seq), 1, 'CONFIRMED', now() from seq_1_to_180000",
            ),
        )
        val FULL = mapOf(BooksKind.POSTGRESQL to "File too large", BooksKind.MARIADB to "is full")
        val SIZE = mapOf(
            BooksKind.POSTGRESQL to "select pg_relation_size('reservation')",
            BooksKind.MARIADB to "select file_size from information_schema.innodb_sys_tablespaces where name like '%/reservation'",
        )
    }
}
