package threadgauge.tickets.faults

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.tickets.history.History
import threadgauge.tickets.history.brokenPromises
import threadgauge.tickets.rules.IdempotencyKey
import java.nio.file.Path
import java.util.Random
import java.util.concurrent.Callable
import java.util.concurrent.Executors

@Tag("processes")
class FullDiskTest {
    @TempDir
    lateinit var folder: Path

    private val home = Path.of("../..").toRealPath()

    /** PostgreSQL refuses to write a file that becomes too large just as it does where the disk has no room. */
    @Test
    fun `a disk that is full costs answers, and nothing that was promised`() {
        Books(home, folder).use { books ->
            Proxy(books.port, books.kind.listen).use { proxy ->
                Replica(home, folder, 1, books, proxy, "batch", memory = null).use { replica ->
                    replica.awaitReady()
                    val event = replica.open(CAPACITY)
                    // Its log comes in files of 16 MB, so the table must be larger than that before it is the one that does not fit.
                    books.mostFileBytes = books.fill() + ROOM
                    books.kill()
                    replica.awaitReady()
                    val callers = List(CALLERS) { Caller(listOf(replica.place), event, Random(it.toLong()), tries = 1) }
                    Executors.newVirtualThreadPerTaskExecutor().use { threads ->
                        val asking = callers.mapIndexed { index, caller -> Callable { caller.untilNobodyKnows(index) } }
                        threads.invokeAll(asking).forEach { it.get() }
                    }
                    callers.sumOf { it.open.size } shouldBeGreaterThan 0
                    books.mostFileBytes = null
                    books.kill()
                    replica.awaitReady()
                    callers.forEach { it.settle() }
                    callers.flatMap { it.open.keys }.shouldBeEmpty()
                    val calls = callers.flatMap { it.calls }
                    brokenPromises(History(CAPACITY, calls, books.entries(event))).shouldBeEmpty()
                }
            }
        }
    }

    /** Makes reservations of an event that nobody sells, and tells how many bytes their table then has. */
    private fun Books.fill(): Long = asked { books ->
        books.createStatement().use { statement ->
            statement.execute(FILL)
            statement.executeQuery("select pg_relation_size('reservation')").use { it.next(); it.getLong(1) }
        }
    }

    private fun Caller.untilNobodyKnows(number: Int) {
        repeat(WISHES_MOST) { wish ->
            if (open.isNotEmpty()) return
            wish(IdempotencyKey.of("caller-$number-wish-$wish")!!)
        }
    }

    private companion object {
        const val CAPACITY = 1_000_000
        const val ROOM = 200_000L
        const val CALLERS = 16
        const val WISHES_MOST = 2_000
        const val FILL = """
            with old as (insert into event (name, capacity, remaining, hold) values ('old', 180000, 0, interval '1 day') returning id)
            insert into reservation (id, event, idempotency_key, seats, state, expires_at)
            select gen_random_uuid(), old.id, 'old-' || n, 1, 'CONFIRMED', now() from old, generate_series(1, 180000) n"""
    }
}
