package threadgauge.tickets.service.http

import org.springframework.boot.runApplication
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext
import threadgauge.tickets.service.TestPostgres
import threadgauge.tickets.service.Tickets

/** Starts the service on a free port with the tests' database and [settings] as arguments. The caller closes it. */
internal fun startTickets(vararg settings: String): ReactiveWebServerApplicationContext {
    val ledger = TestPostgres.address
    return runApplication<Tickets>(
        "--server.port=0", "--tickets.database.url=${ledger.jdbc}", "--tickets.database.user=${ledger.user}",
        "--tickets.database.password=${ledger.password}", *settings,
    ) as ReactiveWebServerApplicationContext
}
