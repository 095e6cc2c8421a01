package threadgauge.tickets.service.http

import org.springframework.boot.runApplication
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import threadgauge.tickets.service.TestPostgres
import threadgauge.tickets.service.Tickets

/** Starts the service at a free port on the tests' database, with [settings] as on a command line. Whoever starts it closes it. */
internal fun startTickets(vararg settings: String): ReactiveWebServerApplicationContext {
    val books = TestPostgres.address
    return runApplication<Tickets>(
        "--server.port=0", "--tickets.database.url=${books.jdbc}", "--tickets.database.user=${books.user}",
        "--tickets.database.password=${books.password}", *settings,
    ) as ReactiveWebServerApplicationContext
}
