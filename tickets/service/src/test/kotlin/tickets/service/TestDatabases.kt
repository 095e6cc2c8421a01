package threadgauge.tickets.service

import threadgauge.contract.ServiceProcess
import threadgauge.tickets.service.store.LedgerAddress
import java.nio.file.Files

/** A PostgreSQL of the tests' own, empty at first, started when it is first asked for and ended with the tests. */
object TestPostgres {
    val address: LedgerAddress by lazy { books("postgresql") }
}

/** A MariaDB in the same way. */
object TestMaria {
    val address: LedgerAddress by lazy { books("mariadb") }
}

private fun books(database: String): LedgerAddress {
    val service = Service("--database=$database", "--articles=none")
    Runtime.getRuntime().addShutdownHook(Thread(service::close))
    return with(service) { LedgerAddress(given.getValue("jdbc"), given.getValue("user"), given.getValue("password")) }
}

/** A Redis in the same way. */
object TestRedis {
    val address: String by lazy { shared.address }
    private val shared by lazy { Another().also { Runtime.getRuntime().addShutdownHook(Thread(it::close)) } }

    /** One more, for a test that does to it what others would not bear. */
    class Another : AutoCloseable {
        private val service = Service("--database=redis")
        val address: String = service.given.getValue("redis")

        override fun close() = service.close()
    }
}

private class Service(vararg arguments: String) : AutoCloseable {
    private val folder = Files.createTempDirectory("threadgauge-tickets-")
    private val process = ServiceProcess("threadgauge.server.database.MainKt", arguments.asList() + "--folder=$folder")
    val given: Map<String, String> = process.start()

    override fun close() {
        process.stop()
        folder.toFile().deleteRecursively()
    }
}
