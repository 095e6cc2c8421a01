package threadgauge.tickets.service

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.context.properties.EnableConfigurationProperties
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean
import threadgauge.tickets.service.store.BooksPool
import threadgauge.tickets.service.store.BooksStore
import threadgauge.tickets.service.store.openPool
import java.util.concurrent.Executors

/** The ticket sale over HTTP. */
@SpringBootApplication
@EnableConfigurationProperties(Settings::class)
class Tickets {
    @Bean(destroyMethod = "close")
    fun books(settings: Settings): BooksPool = openPool(settings.database.address, settings.database.connections)

    /** Drivers block; a virtual thread that does costs next to nothing. */
    @Bean
    fun blocking(): CoroutineDispatcher = Executors.newVirtualThreadPerTaskExecutor().asCoroutineDispatcher()

    @Bean
    fun store(books: BooksPool, blocking: CoroutineDispatcher, settings: Settings) =
        BooksStore(books, blocking, seatRows = settings.strategy == Strategies.SKIP)
}

fun main(arguments: Array<String>) {
    runApplication<Tickets>(*arguments)
}
