package threadgauge.tickets.faults

import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.faults.Crowd.Companion.underLoad
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.ReserveResult

/**
 * Strategies that no other test here covers, all at once and each with its own event. `benchmarks/tickets-soak` tests
 * one of them for longer. Strategies missing for MariaDB send it the same statements as `batch`.
 */
@Tag("processes")
class EveryStrategyTest {
    @Test
    fun `strategies on PostgreSQL survive kills of their service and of its database`() =
        sell(LedgerKind.POSTGRESQL, "sql-row", "skip-locked", "redis-lua", "redis-lock", "grid")

    @Test
    fun `strategies on MariaDB survive kills of their service and of its database`() =
        sell(LedgerKind.MARIADB, "batch", "sql-row", "skip-locked")

    private class Sale(scenario: FaultScenario, val strategy: String, val service: Replica) {
        val crowd = Crowd(scenario, service, CAPACITY, CLIENTS)
    }

    private fun sell(kind: LedgerKind, vararg strategies: String) {
        FaultScenario(kind).use { scenario ->
            val services = strategies.map { scenario.service(it) }
            services.forEach { it.awaitReady() }
            val sales = strategies.zip(services) { strategy, service -> Sale(scenario, strategy, service) }
            sales.map { it.crowd }.underLoad(TicketClient::requestSeats) {
                scenario.database.kill()
                for (sale in sales) {
                    val event = sale.crowd.event
                    val before = scenario.database.entries(event).size
                    await("a grant by ${sale.strategy}") {
                        Unit.takeIf { scenario.database.entries(event).size > before }
                    }
                }
                sales.forEach { it.service.kill() }
                sales.forEach { it.service.awaitReady() }
            }
            sales.forEach { sale ->
                withClue(sale.strategy) {
                    sale.crowd.check()
                    val reserves = sale.crowd.clients.flatMap { it.calls }.filterIsInstance<Call.Reserve>()
                    reserves.count { it.result == ReserveResult.Unknown } shouldBeGreaterThan 0
                }
            }
        }
    }

    private companion object {
        const val CAPACITY = 5_000
        const val CLIENTS = 4
    }
}
