package threadgauge.tickets.service

import threadgauge.contract.ServiceProcess
import threadgauge.tickets.service.store.BooksAddress
import java.nio.file.Files

/** A PostgreSQL of the tests' own, empty at first, started when it is first asked for and ended with the tests. */
object TestPostgres {
    val address: BooksAddress by lazy {
        val given = started("--database=postgresql", "--articles=none")
        BooksAddress(given.getValue("jdbc"), given.getValue("user"), given.getValue("password"))
    }
}

/** A Redis in the same way. */
object TestRedis {
    val address: String by lazy { started("--database=redis").getValue("redis") }
}

private fun started(vararg arguments: String): Map<String, String> {
    val folder = Files.createTempDirectory("threadgauge-tickets-")
    val service = ServiceProcess("threadgauge.server.database.MainKt", arguments.asList() + "--folder=$folder")
    val given = service.start()
    Runtime.getRuntime().addShutdownHook(Thread { service.stop().also { folder.toFile().deleteRecursively() } })
    return given
}
