package threadgauge.tickets.service

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
import java.util.concurrent.Executors

/** The ticket sale over HTTP. */
@SpringBootApplication
@EnableConfigurationProperties(Settings::class)
class Tickets {
    /** For those who sell. */
    @Bean(destroyMethod = "close")
    fun books(settings: Settings): LedgerPool = openPool(settings.ledger, settings.database.connections)

    /** For those who look, confirm and give back: however many come to the desk, they take no connection from those who sell. */
    @Bean(destroyMethod = "close")
    @DependsOn("books")
    fun deskBooks(settings: Settings): LedgerPool = openExtraPool(settings.ledger, settings.database.eventConnections, "desk")

    /** Drivers block; a virtual thread that does costs next to nothing. */
    @Bean
    fun blocking(): CoroutineDispatcher = Executors.newVirtualThreadPerTaskExecutor().asCoroutineDispatcher()

    @Bean
    fun store(@Qualifier("books") books: LedgerPool, blocking: CoroutineDispatcher, settings: Settings) =
        SqlLedger(books, blocking, Strategies.seatStorageOf(settings.strategy))

    /** What callers who do not ask for seats come to. */
    @Bean
    @Primary
    fun desk(@Qualifier("deskBooks") books: LedgerPool, blocking: CoroutineDispatcher, settings: Settings): BoundedEventService {
        val store = SqlLedger(books, blocking, Strategies.seatStorageOf(settings.strategy))
        return BoundedEventService(store, CoroutineScope(SupervisorJob() + Dispatchers.Default), settings.events)
    }
}

fun main(arguments: Array<String>) {
    runApplication<Tickets>(*arguments)
}
