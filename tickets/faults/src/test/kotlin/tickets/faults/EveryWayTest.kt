package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.IdempotencyKey
import java.util.Random
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.atomic.AtomicBoolean

/**
 * Ways to sell that no other test here hurts, all at once and each with an event of its own; `benchmarks/tickets-soak` does it to one of
 * them for longer. The ways that are not asked of MariaDB say the same to it as `batch` does.
 */
@Tag("processes")
class EveryWayTest {
    @Test
    fun `ways to sell from PostgreSQL bear the death of their service and of its database`() =
        sell(BooksKind.POSTGRESQL, "sql-row", "skip-locked", "redis-lua", "redis-lock", "grid")

    @Test
    fun `ways to sell from MariaDB bear the death of their service and of its database`() =
        sell(BooksKind.MARIADB, "batch", "sql-row", "skip-locked")

    private class Sale(val strategy: String, val service: Replica) {
        val event = service.open(CAPACITY)
        val callers = List(CALLERS) { Caller(listOf(service.place), event, Random(it.toLong())) }
    }

    private fun sell(kind: BooksKind, vararg strategies: String) {
        Stage(kind).use { stage ->
            val services = strategies.map { stage.service(it) }
            services.forEach { it.awaitReady() }
            val sales = strategies.zip(services, ::Sale)
            sellUntilOver(sales) {
                stage.books.kill()
                for (sale in sales) {
                    val before = stage.books.entries(sale.event).size
                    await("a grant by ${sale.strategy}") { Unit.takeIf { stage.books.entries(sale.event).size > before } }
                }
                sales.forEach { it.service.kill() }
                sales.forEach { it.service.awaitReady() }
            }
            sales.forEach { sale ->
                withClue(sale.strategy) {
                    sale.callers.forEach { it.settle() }
                    sale.callers.flatMap { it.open.keys }.shouldBeEmpty()
                    stage.broken(sale.event, CAPACITY, sale.callers).shouldBeEmpty()
                    val reserves = sale.callers.flatMap { it.calls }.filterIsInstance<Call.Reserve>()
                    reserves.count { it.result == ReserveResult.Unknown } shouldBeGreaterThan 0
                }
            }
        }
    }

    private fun sellUntilOver(sales: List<Sale>, block: () -> Unit) {
        val isOver = AtomicBoolean()
        Executors.newVirtualThreadPerTaskExecutor().use { threads ->
            val asking: List<Future<*>> = sales.flatMap { sale ->
                sale.callers.mapIndexed { number, caller ->
                    threads.submit {
                        var asked = 0
                        while (!isOver.get()) caller.wish(IdempotencyKey.of("${sale.event}-$number-${asked++}")!!)
                    }
                }
            }
            try {
                block()
            } finally {
                isOver.set(true)
            }
            asking.forEach { it.get() }
        }
    }

    private companion object {
        const val CAPACITY = 5_000
        const val CALLERS = 4
    }
}
