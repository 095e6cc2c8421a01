package threadgauge.tickets.service

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.context.properties.EnableConfigurationProperties
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean
import threadgauge.tickets.batch.BatchStrategy
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.store.PostgresStore
import threadgauge.tickets.service.store.openPool
import java.util.concurrent.Executors
import javax.sql.DataSource

/** The ticket sale over HTTP. */
@SpringBootApplication
@EnableConfigurationProperties(Settings::class)
class Tickets {
    @Bean(destroyMethod = "close")
    fun books(settings: Settings): DataSource = openPool(settings.database.address, settings.database.connections)

    /** Drivers block; a virtual thread that does costs next to nothing. */
    @Bean
    fun blocking(): CoroutineDispatcher = Executors.newVirtualThreadPerTaskExecutor().asCoroutineDispatcher()

    @Bean
    fun store(books: DataSource, blocking: CoroutineDispatcher) = PostgresStore(books, blocking)

    @Bean
    fun strategy(settings: Settings, store: PostgresStore, metrics: SaleMetrics): Strategy = when (settings.strategy) {
        "batch" -> BatchStrategy(store, CoroutineScope(SupervisorJob() + Dispatchers.Default), settings.queue.settings, metrics)
        else -> throw IllegalArgumentException("tickets.strategy must be batch, not ${settings.strategy}")
    }
}

fun main(arguments: Array<String>) {
    runApplication<Tickets>(*arguments)
}
