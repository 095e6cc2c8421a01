package threadgauge.tickets.service

import java.nio.file.Files
import threadgauge.contract.testkit.process.ServiceProcess
import threadgauge.tickets.service.store.LedgerAddress

/** An empty PostgreSQL for the tests. Starts at first use and ends with the tests. */
object TestPostgres {
    val address: LedgerAddress by lazy { startDatabase("postgresql") }
}

/** As [TestPostgres]. */
object TestMaria {
    val address: LedgerAddress by lazy { startDatabase("mariadb") }
}

private fun startDatabase(name: String): LedgerAddress {
    val process = DatabaseProcess("--database=$name", "--articles=none")
    Runtime.getRuntime().addShutdownHook(Thread(process::close))
    return with(process.properties) { LedgerAddress(getValue("jdbc"), getValue("user"), getValue("password")) }
}

/** As [TestPostgres]. */
object TestRedis {
    val address: String by lazy { shared.address }
    private val shared by lazy { Another().also { Runtime.getRuntime().addShutdownHook(Thread(it::close)) } }

    /** A separate Redis, for tests that would disturb others. */
    class Another : AutoCloseable {
        private val process = DatabaseProcess("--database=redis")
        val address: String = process.properties.getValue("redis")

        override fun close() = process.close()
    }
}

private class DatabaseProcess(vararg arguments: String) : AutoCloseable {
    private val folder = Files.createTempDirectory("threadgauge-tickets-")
    private val process =
        ServiceProcess("threadgauge.server.database.MainKt", arguments.asList() + "--folder=$folder")
    val properties: Map<String, String> = process.start()

    override fun close() {
        process.stop()
        folder.toFile().deleteRecursively()
    }
}
