package threadgauge.demo

import java.io.IOException
import java.net.BindException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.ServiceFault
import threadgauge.run.Cancellation
import threadgauge.run.Cancelled
import threadgauge.run.RunFailed
import threadgauge.run.agent.javaProgram
import threadgauge.run.launch.BuildEvent
import threadgauge.run.launch.given
import threadgauge.run.launch.newToken
import threadgauge.run.sale.SaleClient
import threadgauge.target.ServiceFailed
import threadgauge.target.SupervisedProcess
import threadgauge.target.Target

/** The options of a sale. [port] is the port of the first service; the others use free ones. */
class SaleOrder(
    val replicas: Int,
    val port: Int,
    val strategy: String,
    val capacity: Int,
    val ledger: LedgerDatabase = LedgerDatabase.Own("postgresql"),
    val memory: SaleMemory = SaleMemory.None,
)

/** Redis of a sale. */
sealed interface SaleMemory {
    /** Not needed by the strategy. */
    data object None : SaleMemory

    /** Started for the sale. */
    data object Own : SaleMemory

    /** A Redis of the user, such as `redis://127.0.0.1:6379`. */
    data class At(val address: String) : SaleMemory
}

/** The database of the ledger. */
sealed interface LedgerDatabase {
    /** Started for the sale and removed after it: `postgresql` or `mariadb`. */
    class Own(val database: String) : LedgerDatabase

    /** A database of the user. */
    class At(val jdbc: String, val user: String, val password: String) : LedgerDatabase
}

/** Addresses of a running sale. [adminToken] allows to open further events. */
class SaleOn(val services: List<URI>, val event: Long, val adminToken: String)

/**
 * The reservation service with its ledger, for manual use: start database → start services → open an event → wait. It
 * ends on cancellation, or with the end of one of its processes. Then every process is stopped, and a database that was
 * started for it is removed.
 */
class TicketSale(
    private val programs: SalePrograms,
    private val order: SaleOrder,
    private val cancellation: Cancellation,
) {
    private val logs = Files.createTempDirectory("threadgauge-tickets-")
    private val adminToken = newToken()

    /**
     * Throws [Cancelled] if the user interrupts it, and [RunFailed] if something does not start or ends unexpectedly.
     */
    @OptIn(ExperimentalPathApi::class)
    fun run(building: (BuildEvent) -> Unit, told: (String) -> Unit, on: (SaleOn) -> Unit) {
        try {
            programs.build(databases(), cancellation, building)
            Started(told).use { started -> cancellation.using(started) { keep(it, on) } }
        } catch (failure: Exception) {
            if (cancellation.isCancelled || failure is Cancelled) {
                logs.deleteRecursively()
                throw Cancelled()
            }
            throw when (failure) {
                is Failed -> RunFailed(failure.failure, failure)
                is IOException -> RunFailed(Failure.Unforeseen(failure.message ?: "$failure"), failure)
                else -> failure
            }
        }
    }

    /** Databases to start. Only these are built, because MariaDB is large. */
    private fun databases() =
        listOfNotNull((order.ledger as? LedgerDatabase.Own)?.database, REDIS.takeIf { order.memory == SaleMemory.Own })

    private fun keep(started: Started, on: (SaleOn) -> Unit) {
        val services = started.services()
        val event = SaleClient(services.first(), adminToken).open("Demo", order.capacity, DEMO_HOLD)
        on(SaleOn(services, event, adminToken))
        while (true) {
            started.dead()
                ?.let { throw ServiceFailed(it.first, ServiceFault.EndedByItself(it.second.exitCode), it.second.log) }
            cancellation.check()
            Thread.sleep(POLL_MILLIS)
        }
    }

    /** Every process, in the order of their start. */
    private inner class Started(private val told: (String) -> Unit) : AutoCloseable {
        private val processes = ArrayList<Pair<String, SupervisedProcess>>() // guarded by this
        private val folder = Files.createTempDirectory("threadgauge-ledger-")

        fun services(): List<URI> {
            val ledger = when (val place = order.ledger) {
                is LedgerDatabase.At -> place
                is LedgerDatabase.Own -> startedDatabase(place.database)
            }
            val settings = settings(ledger, memory())
            told(
                "Starting ${if (order.replicas == 1) "the service" else "${order.replicas} services"} and rehearsing …",
            )
            val ports = List(order.replicas) { if (it == 0) order.port.also(::mustBeFree) else Target.freePort() }
            ports.forEachIndexed { index, port ->
                start("tickets-${index + 1}", serviceCommand(port), programs.folder, settings)
            }
            return ports.mapIndexed { index, port -> URI("http://127.0.0.1:$port").also { awaitReady(it, index) } }
        }

        private fun startedDatabase(database: String): LedgerDatabase.At {
            told("Starting ${if (database == MARIADB) "MariaDB" else "PostgreSQL"} …")
            val given = database(database)
            return LedgerDatabase.At(given.getValue("jdbc"), given.getValue("user"), given.getValue("password"))
        }

        /** Its URL; null where none is needed. */
        private fun memory(): String? = when (val memory = order.memory) {
            SaleMemory.None -> null
            SaleMemory.Own -> told("Starting Redis …").let { database(REDIS).getValue("redis") }
            is SaleMemory.At -> memory.address
        }

        private fun database(name: String): Map<String, String> {
            val program = programs.database(name)
            val own = Files.createDirectory(folder.resolve(name))
            val variables = mapOf("java" to javaProgram(), "folder" to "$own", "port" to "${Target.freePort()}")
            val supervised = start(name, Target.filledIn(program.command, variables), program.folder, emptyMap())
            return await(name, supervised.log) { given(supervised.log) }.toMap()
        }

        private fun serviceCommand(port: Int) = Target.filledIn(programs.command, mapOf("java" to javaProgram())) +
            listOf("--server.port=$port", "--server.address=127.0.0.1", "--tickets.strategy=${order.strategy}")

        /** In the environment, which is hidden from other users, unlike a command line. */
        private fun settings(ledger: LedgerDatabase.At, memory: String?) = mapOf(
            "TICKETS_DATABASE_URL" to ledger.jdbc,
            "TICKETS_DATABASE_USER" to ledger.user,
            "TICKETS_DATABASE_PASSWORD" to ledger.password,
            "TICKETS_ADMINTOKEN" to adminToken,
        ) + memory?.let { mapOf("TICKETS_REDIS" to it) }.orEmpty()

        private fun start(
            name: String,
            command: List<String>,
            folder: String,
            environment: Map<String, String>,
        ): SupervisedProcess {
            cancellation.check()
            val log = logs.resolve("$name.log")
            val supervised = SupervisedProcess.start(command, Path.of(folder), log, environment, System.getenv())
            synchronized(this) { processes += name to supervised }
            return supervised
        }

        private fun awaitReady(place: URI, index: Int) {
            val desk = SaleClient(place, adminToken)
            await("$place", logs.resolve("tickets-${index + 1}.log")) { Unit.takeIf { desk.isReady() } }
        }

        private fun <T : Any> await(what: String, log: Path, poll: () -> T?): T {
            val end = System.nanoTime() + MAX_READY_NANOS
            while (true) {
                val death = dead()
                poll()?.let { return it }
                cancellation.check()
                death?.let { throw ServiceFailed(it.first, ServiceFault.EndedEarly(it.second.exitCode), it.second.log) }
                if (System.nanoTime() > end) throw ServiceFailed(what, ServiceFault.NotReady, log)
                Thread.sleep(POLL_MILLIS)
            }
        }

        /** The first ended process, with its name. */
        fun dead(): Pair<String, SupervisedProcess>? =
            synchronized(this) { processes.toList() }.firstOrNull { !it.second.isAlive }

        override fun close() {
            synchronized(this) { processes.toList() }.asReversed().forEach { (_, supervised) -> supervised.close() }
            folder.toFile().deleteRecursively()
        }
    }

    private companion object {
        const val MARIADB = "mariadb"
        const val REDIS = "redis"
        val DEMO_HOLD: Duration = Duration.ofMinutes(2)
        const val POLL_MILLIS = 50L

        /** Normally the end of a process is detected at once; this is for busy machines. */
        const val MAX_READY_NANOS = 300_000_000_000L

        fun mustBeFree(port: Int) = try {
            ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close()
        } catch (taken: BindException) {
            throw RunFailed(Failure.Port(port, "--port"), taken)
        }
    }
}
