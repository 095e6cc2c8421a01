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
import threadgauge.model.Connections
import threadgauge.model.Request
import threadgauge.model.Service
import threadgauge.model.ServiceKind
import threadgauge.model.ServiceReady
import threadgauge.model.Stack
import threadgauge.model.failure.ServiceFault
import threadgauge.run.agent.javaProgram
import threadgauge.target.Cores
import threadgauge.target.ServiceFailed
import threadgauge.target.SupervisedProcess
import threadgauge.target.Target
import threadgauge.target.familyOf
import threadgauge.target.pinned

/**
 * The processes that stacks need beside themselves. They start at once, on the load agent's cores; [awaitReady] waits
 * for all. Each says that it is ready with a line of its output, `ready name=value name=value …`, and the values are
 * put in for `{name}` in the commands of the stacks.
 */
internal class Services(services: List<Service>, cores: Cores, logs: Path) : AutoCloseable {
    private val folders = ArrayList<Path>()
    private val running = ArrayList<Pair<Service, SupervisedProcess>>()

    /** What stands in braces in the texts of each service, by its name. */
    private val placeholders = HashMap<String, Map<String, String>>()

    /** What they gave, by the names in braces that stand for it; empty before [awaitReady]. For the run's thread. */
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

    /** What the user has set reaches a service of the user's own alone. */
    private fun start(service: Service, cores: Cores, log: Path): SupervisedProcess {
        val folder = Path.of(service.folder)
        // A run that is resumed must not take what an earlier service said for its own.
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

    /** A text of the user's own with what this [service] is told in it; all other braces stay. */
    private fun filled(service: Service, text: String): String =
        placeholders.getValue(service.name).entries.fold(text) { filled, (name, value) ->
            filled.replace("{$name}", value)
        }

    /** A [stack] of the user's own, with what services pass to it; what it sets itself stays. */
    fun passedTo(stack: Stack): Stack =
        stack.copy(environment = running.flatMap { (service, _) ->
            service.passes.map { (name, text) -> name to filled(service, text) }
        }.toMap() + stack.environment)

    /** Throws [ServiceFailed] when one ends instead, or is not ready in time. */
    fun awaitReady() {
        val end = System.nanoTime() + MAX_READY_NANOS
        variables = running.flatMap { (service, supervised) -> awaitReady(service, supervised, end) }.toMap()
    }

    /** All their processes, as seen now. */
    fun family(): Set<Long> = running.flatMapTo(LinkedHashSet()) { (_, supervised) -> familyOf(supervised.pid) }

    /** Null while all of them run. What is measured after one has ended says nothing of the stacks. */
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

    /** Who keeps a database of his own keeps its password too: it stands in no log. */
    private fun withPassword(given: List<Pair<String, String>>): List<Pair<String, String>> {
        val names = given.map { it.first }
        if (USER !in names || PASSWORD in names) return given
        return given + (PASSWORD to System.getenv("THREADGAUGE_PASSWORD").orEmpty())
    }

    @OptIn(ExperimentalPathApi::class)
    override fun close() {
        running.asReversed().forEach { (_, supervised) -> supervised.close() }
        // Follows no links: what a service has linked there is not ours.
        folders.forEach { runCatching { it.deleteRecursively() } }
    }
}

/** The values on the line of [log] that says that its service is ready, by name; null before there is one. */
internal fun given(log: Path): List<Pair<String, String>>? = log.readLines().firstOrNull { it.startsWith(READY) }
    ?.run {
        removePrefix(READY).split(' ').filter { '=' in it }.map { it.substringBefore('=') to it.substringAfter('=') }
    }

private const val READY = "ready "
private const val USER = "user"
private const val PASSWORD = "password"
private const val POLL_MILLIS = 20L
private const val CONNECT_MILLIS = 1_000

/** A database has a hundred thousand rows to write. */
private const val MAX_READY_NANOS = 180_000_000_000L
