package threadgauge.tickets.service

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import threadgauge.tickets.batch.BatchStrategy
import threadgauge.tickets.gate.GatedSale
import threadgauge.tickets.published.LockedSale
import threadgauge.tickets.published.NaiveSale
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.memory.RedisLock
import threadgauge.tickets.service.memory.RedisMemory
import threadgauge.tickets.service.store.PostgresStore
import threadgauge.tickets.service.store.UnusableBooks
import threadgauge.tickets.single.SingleStrategy

/** The ways to sell, of which one setting, `tickets.strategy`, chooses one. */
@Configuration
class Strategies(private val settings: Settings) {
    @Bean(destroyMethod = "close")
    @ConditionalOnProperty("tickets.redis")
    fun memory() = RedisMemory(settings.redis!!)

    @Bean(destroyMethod = "close")
    @ConditionalOnProperty(name = ["tickets.strategy"], havingValue = LOCK)
    fun lock() = RedisLock(settings.redis ?: throw redisNeeded())

    @Bean
    fun strategy(store: PostgresStore, metrics: SaleMetrics, memory: RedisMemory?, lock: RedisLock?): Strategy {
        fun single(way: suspend (Ask) -> Answer) =
            SingleStrategy(settings.queue.single(settings.database.connections), metrics, way = way)
        fun shared() = memory ?: throw redisNeeded()
        return when (settings.strategy) {
            BATCH -> BatchStrategy(store, CoroutineScope(SupervisorJob() + Dispatchers.Default), settings.queue.settings, metrics)
            ROW -> single(store::grantRow)
            LUA -> single(GatedSale(shared(), store)::sell)
            LOCK -> single(LockedSale(lock!!, shared(), store)::sell)
            NAIVE -> single(NaiveSale(shared(), store, store)::sell)
            else -> throw UnusableBooks(
                "there is no strategy ${settings.strategy}", "Set tickets.strategy to one of ${ALL.joinToString()}.",
            )
        }
    }

    private fun redisNeeded() = UnusableBooks(
        "the strategy ${settings.strategy} needs memory that services share",
        "Set tickets.redis to the address of a Redis, such as redis://127.0.0.1:6379, or choose the strategy $BATCH, which needs none.",
    )

    companion object {
        const val BATCH = "batch"
        const val ROW = "sql-row"
        const val LUA = "redis-lua"
        const val LOCK = "redis-lock"
        const val NAIVE = "naive"
        val ALL = listOf(BATCH, ROW, LUA, LOCK, NAIVE)
    }
}
