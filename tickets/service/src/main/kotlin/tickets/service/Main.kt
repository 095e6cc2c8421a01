package threadgauge.tickets.service

import java.util.concurrent.Executors
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import org.springframework.beans.factory.annotation.Qualifier
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.context.properties.EnableConfigurationProperties
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.DependsOn
import org.springframework.context.annotation.Primary
import threadgauge.tickets.sale.BoundedEventService
import threadgauge.tickets.service.store.LedgerPool
import threadgauge.tickets.service.store.SqlLedger
import threadgauge.tickets.service.store.openExtraPool
import threadgauge.tickets.service.store.openPool

/** The ticket sale over HTTP. */
@SpringBootApplication
@EnableConfigurationProperties(Settings::class)
class Tickets {
    /** Connections for granting seats. */
    @Bean(destroyMethod = "close")
    fun grantPool(settings: Settings): LedgerPool = openPool(settings.ledger, settings.database.connections)

    /** Connections for reading, confirming and releasing, so that these take none from granting. */
    @Bean(destroyMethod = "close")
    @DependsOn("grantPool")
    fun eventPool(settings: Settings): LedgerPool =
        openExtraPool(settings.ledger, settings.database.eventConnections, "events")

    /** Drivers block, so their calls run on virtual threads, where blocking is cheap. */
    @Bean
    fun blocking(): CoroutineDispatcher = Executors.newVirtualThreadPerTaskExecutor().asCoroutineDispatcher()

    @Bean
    fun store(@Qualifier("grantPool") pool: LedgerPool, blocking: CoroutineDispatcher, settings: Settings) =
        SqlLedger(pool, blocking, Strategies.seatStorageOf(settings.strategy))

    /** All requests other than those for seats. */
    @Bean
    @Primary
    fun eventService(
        @Qualifier("eventPool") pool: LedgerPool,
        blocking: CoroutineDispatcher,
        settings: Settings,
    ): BoundedEventService {
        val store = SqlLedger(pool, blocking, Strategies.seatStorageOf(settings.strategy))
        return BoundedEventService(store, CoroutineScope(SupervisorJob() + Dispatchers.Default), settings.eventService)
    }
}

fun main(arguments: Array<String>) {
    runApplication<Tickets>(*arguments)
}
