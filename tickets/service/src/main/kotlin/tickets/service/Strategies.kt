package threadgauge.tickets.service

import io.micrometer.core.instrument.Gauge
import io.micrometer.core.instrument.binder.MeterBinder
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import threadgauge.tickets.batch.BatchStrategy
import threadgauge.tickets.gate.GatedSale
import threadgauge.tickets.published.LockedSale
import threadgauge.tickets.published.NaiveSale
import threadgauge.tickets.queue.QueueStrategy
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.memory.SharedGrid
import threadgauge.tickets.service.memory.SharedRedis
import threadgauge.tickets.service.store.SqlLedger
import threadgauge.tickets.service.store.SeatStorage
import threadgauge.tickets.service.store.StartupError
import threadgauge.tickets.single.SingleStrategy

/** The ways to sell, of which one setting, `tickets.strategy`, chooses one. */
@Configuration
class Strategies(private val settings: Settings) {
    /** Reached when a strategy needs it, and not before: the others must not depend on a Redis. */
    @Bean(destroyMethod = "close")
    fun memory() = SharedRedis(settings.redis, settings.database.sale, settings.queue.timeout)

    /** Joined in the same way. */
    @Bean(destroyMethod = "close")
    fun grid() = SharedGrid(settings.grid.members, settings.database.sale)

    @Bean
    fun strategy(store: SqlLedger, metrics: SaleMetrics, memory: SharedRedis, grid: SharedGrid): Strategy {
        fun scope() = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        fun single(sell: suspend (SeatRequest) -> Answer) =
            SingleStrategy(settings.queue.single(settings.database.connections), scope(), metrics, sell = sell)
        return when (settings.strategy) {
            BATCH -> BatchStrategy(store, scope(), settings.queue.settings, metrics)
            ROW -> single(store::grantRow)
            SKIP -> single(store::grantSeatRows)
            LUA -> single(GatedSale(memory.counts, store)::sell)
            GRID -> single(GatedSale(grid.gate, store)::sell)
            QUEUE -> QueueStrategy(memory.queue, store, scope(), settings.queue.settings, metrics)
            LOCK -> single(LockedSale(memory.lock, memory.counts, store)::sell)
            NAIVE -> single(NaiveSale(memory.counts, store, store)::sell)
            else -> throw StartupError(
                "there is no strategy ${settings.strategy}", "Set tickets.strategy to one of ${ALL.joinToString()}.",
            )
        }
    }

    @Bean
    fun waiting(strategy: Strategy) = MeterBinder { registry ->
        Gauge.builder("tickets.queue", strategy) { it.waiting.toDouble() }.description("Asks that wait for their turn now")
            .tags("strategy", settings.strategy).register(registry)
    }

    companion object {
        /** How the events are kept that a strategy opens. */
        fun seatStorageOf(strategy: String) = when (strategy) {
            SKIP -> SeatStorage.ROWS
            NAIVE -> SeatStorage.NONE
            else -> SeatStorage.COUNTER
        }

        const val BATCH = "batch"
        const val ROW = "sql-row"
        const val SKIP = "skip-locked"
        const val QUEUE = "queue"
        const val GRID = "grid"
        const val LUA = "redis-lua"
        const val LOCK = "redis-lock"
        const val NAIVE = "naive"
        val ALL = listOf(BATCH, ROW, SKIP, QUEUE, GRID, LUA, LOCK, NAIVE)
    }
}
