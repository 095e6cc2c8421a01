package threadgauge.run.launch

import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteIfExists
import kotlin.io.path.deleteRecursively
import kotlin.io.path.readLines
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.ServiceReady
import threadgauge.model.Stack
import threadgauge.model.failure.ServiceFault
import threadgauge.model.request.Connections
import threadgauge.model.request.Request
import threadgauge.run.agent.javaProgram
import threadgauge.target.Cores
import threadgauge.target.ServiceFailed
import threadgauge.target.SupervisedProcess
import threadgauge.target.Target
import threadgauge.target.familyOf
import threadgauge.target.pinned

/**
 * The processes that stacks depend on. The constructor starts them all, on the load agent's cores; [awaitReady] waits
 * for them. A shipped service prints a line `ready name=value name=value …` when it is ready, and the values replace
 * `{name}` in the commands of stacks. One of the user's own is ready when its port, or a path, answers.
 *
 * Belongs to the run's thread.
 */
internal class Services(services: List<Service>, cores: Cores, logs: Path) : AutoCloseable {
    private val folders = ArrayList<Path>()
    private val running = ArrayList<Pair<Service, SupervisedProcess>>()

    /** The values of `{name}` in the texts of each service, by the service's name. */
    private val placeholders = HashMap<String, Map<String, String>>()

    /** The values that the services printed, by name; empty before [awaitReady]. */
    var variables: Map<String, String> = emptyMap()
        private set

    init {
        try {
            for (service in services) {
                val folder = Files.createTempDirectory("threadgauge-${service.name}-").also(folders::add)
                val variables = mapOf(
                    "java" to javaProgram(), "folder" to folder.toString(), "port" to Target.freePort().toString(),
                )
                placeholders[service.name] = variables
                running += service to start(service, cores, logs.resolve("${service.name}.log"))
            }
        } catch (failure: Exception) {
            close()
            throw failure
        }
    }

    /** Only services of the user's own inherit what the user has set. */
    private fun start(service: Service, cores: Cores, log: Path): SupervisedProcess {
        val folder = Path.of(service.folder)
        // The log of an earlier run would be mistaken for that of this service.
        log.deleteIfExists()
        if (service.kind != ServiceKind.OWN) {
            val command = Target.filledIn(service.command, placeholders.getValue(service.name))
            return SupervisedProcess.start(pinned(command, cores.agent), folder, log)
        }
        val command = service.command.map { filled(service, it) }
        val environment = service.environment.mapValues { filled(service, it.value) }
        return SupervisedProcess.start(
            pinned(command, cores.agent), folder, log, environment, inherits = System.getenv(),
        )
    }

    /** [text] of the user's own with the placeholders of [service] filled in; all other braces stay. */
    private fun filled(service: Service, text: String): String =
        placeholders.getValue(service.name).entries.fold(text) { filled, (name, value) ->
            filled.replace("{$name}", value)
        }

    /**
     * [stack], of the user's own, with the environment variables that services pass to it. Variables that it sets
     * itself win.
     */
    fun passedTo(stack: Stack): Stack =
        stack.copy(environment = running.flatMap { (service, _) ->
            service.passes.map { (name, text) -> name to filled(service, text) }
        }.toMap() + stack.environment)

    /** Waits until all are ready. Throws [ServiceFailed] if one ends, or is not ready within [MAX_READY_NANOS]. */
    fun awaitReady() {
        val end = System.nanoTime() + MAX_READY_NANOS
        variables = running.flatMap { (service, supervised) -> awaitReady(service, supervised, end) }.toMap()
    }

    /** All their processes, as of now. */
    fun family(): Set<Long> = running.flatMapTo(LinkedHashSet()) { (_, supervised) -> familyOf(supervised.pid) }

    /**
     * The failure of a service that has ended; null while all run. Measurements after its end say nothing about the
     * stacks.
     */
    fun death(): ServiceFailed? =
        running.firstOrNull { (_, supervised) -> !supervised.isAlive }?.let { (service, supervised) ->
            ServiceFailed(service.name, ServiceFault.Ended(supervised.exitCode), supervised.log)
        }

    private fun awaitReady(service: Service, supervised: SupervisedProcess, end: Long): List<Pair<String, String>> {
        while (true) {
            val hasEnded = !supervised.isAlive
            if (service.ready == null) given(supervised.log)?.let { return withPassword(it) }
            else if (!hasEnded && isReady(service, service.ready)) return emptyList()
            val fault = when {
                hasEnded -> ServiceFault.EndedEarly(supervised.exitCode)
                System.nanoTime() > end -> ServiceFault.NotReady
                else -> null
            }
            if (fault != null) throw ServiceFailed(service.name, fault, supervised.log)
            Thread.sleep(POLL_MILLIS)
        }
    }

    private fun isReady(service: Service, ready: ServiceReady): Boolean {
        val port = filled(service, ready.port).toInt()
        val path = ready.path
        if (path != null) {
            return SingleRequest(Request(path = path), Connections()).use { it.ask("127.0.0.1", port) == null }
        }
        return try {
            Socket().use { it.connect(InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS) }
            true
        } catch (_: IOException) {
            false
        }
    }

    /**
     * An external database that names a user but no password gets it from `THREADGAUGE_PASSWORD`, so that it stands in
     * no log.
     */
    private fun withPassword(given: List<Pair<String, String>>): List<Pair<String, String>> {
        val names = given.map { it.first }
        if (USER !in names || PASSWORD in names) return given
        return given + (PASSWORD to System.getenv("THREADGAUGE_PASSWORD").orEmpty())
    }

    @OptIn(ExperimentalPathApi::class)
    override fun close() {
        running.asReversed().forEach { (_, supervised) -> supervised.close() }
        // This follows no links: what a service has linked there is not ours to delete.
        folders.forEach { runCatching { it.deleteRecursively() } }
    }
}

/** The values on the line of [log] that reports its service ready, by name; null before there is such a line. */
internal fun given(log: Path): List<Pair<String, String>>? = log.readLines().firstOrNull { it.startsWith(READY) }
    ?.run {
        removePrefix(READY).split(' ').filter { '=' in it }.map { it.substringBefore('=') to it.substringAfter('=') }
    }

private const val READY = "ready "
private const val USER = "user"
private const val PASSWORD = "password"
private const val POLL_MILLIS = 20L
private const val CONNECT_MILLIS = 1_000

/** A database has to write a hundred thousand rows. */
private const val MAX_READY_NANOS = 180_000_000_000L
