package threadgauge.tickets.service

import threadgauge.contract.ServiceProcess
import threadgauge.tickets.service.store.BooksAddress
import java.nio.file.Files

/** A PostgreSQL of the tests' own, empty at first, started when it is first asked for and ended with the tests. */
object TestPostgres {
    val address: BooksAddress by lazy {
        val folder = Files.createTempDirectory("threadgauge-tickets-")
        val service = ServiceProcess(
            "threadgauge.server.database.MainKt", listOf("--database=postgresql", "--folder=$folder", "--articles=none"),
        )
        val given = service.start()
        Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.toFile().deleteRecursively() } })
        BooksAddress(given.getValue("jdbc"), given.getValue("user"), given.getValue("password"))
    }
}
