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
import threadgauge.tickets.service.store.SeatStorage
import threadgauge.tickets.service.store.SqlLedger
import threadgauge.tickets.single.SingleStrategy

/** The strategies, one of which is selected by the setting `tickets.strategy`. */
@Configuration
class Strategies(private val settings: Settings) {
    /** Connects only if the strategy needs it, so that the other strategies do not depend on a Redis. */
    @Bean(destroyMethod = "close")
    fun redis() = SharedRedis(settings.redis, settings.database.sale, settings.queue.timeout)

    /** Joins the cluster only if the strategy needs it. */
    @Bean(destroyMethod = "close")
    fun grid() = SharedGrid(settings.grid.members, settings.database.sale)

    @Bean
    fun strategy(store: SqlLedger, metrics: SaleMetrics, redis: SharedRedis, grid: SharedGrid): Strategy {
        fun scope() = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        fun single(sell: suspend (SeatRequest) -> Answer) =
            SingleStrategy(settings.queue.single(settings.database.connections), scope(), metrics, sell = sell)
        return when (settings.strategy) {
            BATCH -> BatchStrategy(store, scope(), settings.queue.settings, metrics)
            ROW -> single(store::grantRow)
            SKIP -> single(store::grantSeatRows)
            LUA -> single(GatedSale(redis.counts, store)::sell)
            GRID -> single(GatedSale(grid.gate, store)::sell)
            QUEUE -> QueueStrategy(redis.queue, store, scope(), settings.queue.settings, metrics)
            LOCK -> single(LockedSale(redis.lock, redis.counts, store)::sell)
            NAIVE -> single(NaiveSale(redis.counts, store, store)::sell)
            else -> throw StartupError(
                "there is no strategy ${settings.strategy}", "Set tickets.strategy to one of ${ALL.joinToString()}.",
            )
        }
    }

    @Bean
    fun waiting(strategy: Strategy) = MeterBinder { registry ->
        Gauge.builder("tickets.queue", strategy) { it.waiting.toDouble() }.description("Requests that wait now")
            .tags("strategy", settings.strategy).register(registry)
    }

    companion object {
        /** How a strategy stores the seats of the events that it opens. */
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
