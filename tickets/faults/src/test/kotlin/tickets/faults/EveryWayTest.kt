package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.faults.Crowd.Companion.asking
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult

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

    private class Sale(stage: Stage, val strategy: String, val service: Replica) {
        val crowd = Crowd(stage, service, CAPACITY, CALLERS)
    }

    private fun sell(kind: BooksKind, vararg strategies: String) {
        Stage(kind).use { stage ->
            val services = strategies.map { stage.service(it) }
            services.forEach { it.awaitReady() }
            val sales = strategies.zip(services) { strategy, service -> Sale(stage, strategy, service) }
            sales.map { it.crowd }.asking(Caller::wish) {
                stage.books.kill()
                for (sale in sales) {
                    val event = sale.crowd.event
                    val before = stage.books.entries(event).size
                    await("a grant by ${sale.strategy}") { Unit.takeIf { stage.books.entries(event).size > before } }
                }
                sales.forEach { it.service.kill() }
                sales.forEach { it.service.awaitReady() }
            }
            sales.forEach { sale ->
                withClue(sale.strategy) {
                    sale.crowd.judge()
                    val reserves = sale.crowd.callers.flatMap { it.calls }.filterIsInstance<Call.Reserve>()
                    reserves.count { it.result == ReserveResult.Unknown } shouldBeGreaterThan 0
                }
            }
        }
    }

    private companion object {
        const val CAPACITY = 5_000
        const val CALLERS = 4
    }
}
