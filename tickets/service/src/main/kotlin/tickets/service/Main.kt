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
import threadgauge.tickets.sale.PatientDesk
import threadgauge.tickets.service.store.BooksPool
import threadgauge.tickets.service.store.BooksStore
import threadgauge.tickets.service.store.openMore
import threadgauge.tickets.service.store.openPool
import java.util.concurrent.Executors

/** The ticket sale over HTTP. */
@SpringBootApplication
@EnableConfigurationProperties(Settings::class)
class Tickets {
    /** For those who sell. */
    @Bean(destroyMethod = "close")
    fun books(settings: Settings): BooksPool = openPool(settings.books, settings.database.connections)

    /** For those who look, confirm and give back: however many come to the desk, they take no connection from those who sell. */
    @Bean(destroyMethod = "close")
    @DependsOn("books")
    fun deskBooks(settings: Settings): BooksPool = openMore(settings.books, settings.database.deskConnections, "desk")

    /** Drivers block; a virtual thread that does costs next to nothing. */
    @Bean
    fun blocking(): CoroutineDispatcher = Executors.newVirtualThreadPerTaskExecutor().asCoroutineDispatcher()

    @Bean
    fun store(@Qualifier("books") books: BooksPool, blocking: CoroutineDispatcher, settings: Settings) =
        BooksStore(books, blocking, Strategies.seatsOf(settings.strategy))

    /** What callers who do not ask for seats come to. */
    @Bean
    @Primary
    fun desk(@Qualifier("deskBooks") books: BooksPool, blocking: CoroutineDispatcher, settings: Settings): PatientDesk {
        val store = BooksStore(books, blocking, Strategies.seatsOf(settings.strategy))
        return PatientDesk(store, CoroutineScope(SupervisorJob() + Dispatchers.Default), settings.desk)
    }
}

fun main(arguments: Array<String>) {
    runApplication<Tickets>(*arguments)
}
