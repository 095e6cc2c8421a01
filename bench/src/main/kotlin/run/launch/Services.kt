package threadgauge.run.launch

import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketTimeoutException
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
import threadgauge.target.ContainerEngine
import threadgauge.target.Cores
import threadgauge.target.LOOPBACK
import threadgauge.target.NoContainer
import threadgauge.target.RunningContainer
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
    private val running = ArrayList<Running>()

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
                    "java" to javaProgram(), "folder" to folder.toString(), "port" to portOf(service).toString(),
                )
                placeholders[service.name] = variables
                running += start(service, cores, logs.resolve("${service.name}.log"))
            }
        } catch (failure: Exception) {
            close()
            throw failure
        }
    }

    /** Only services of the user's own inherit what the user has set. */
    private fun start(service: Service, cores: Cores, log: Path): Running {
        val folder = Path.of(service.folder)
        // The log of an earlier run would be mistaken for that of this service.
        log.deleteIfExists()
        if (service.kind != ServiceKind.OWN) {
            val command = Target.filledIn(service.command, placeholders.getValue(service.name))
            return Running(service, SupervisedProcess.start(pinned(command, cores.agent), folder, log), null)
        }
        val command = service.command.map { filled(service, it) }
        val environment = service.environment.mapValues { filled(service, it.value) }
        if (service.container != null) {
            val container = try {
                RunningContainer.start(service.container, command, environment, cores.agent, log)
            } catch (missing: NoContainer) {
                throw ServiceFailed(service.name, ServiceFault.NoContainer(missing.fault), null)
            }
            return Running(service, container.supervised, container)
        }
        val process = SupervisedProcess.start(
            pinned(command, cores.agent), folder, log, environment, inherits = System.getenv(),
        )
        return Running(service, process, null)
    }

    /** A container with a network of its own serves the port that it always has. */
    private fun portOf(service: Service) = service.container?.port ?: Target.freePort()

    /** [text] of the user's own with the placeholders of [service] and [place] filled in; all other braces stay. */
    private fun filled(service: Service, text: String, place: Map<String, String> = emptyMap()): String =
        (placeholders.getValue(service.name) + place).entries.fold(text) { filled, (name, value) ->
            filled.replace("{$name}", value)
        }

    /**
     * [stack], of the user's own, with the environment variables that services pass to it. Variables that it sets
     * itself win. Hosts and ports are those at which the stack reaches a service, which depends on the network it has.
     */
    fun passedTo(stack: Stack): Stack =
        stack.copy(environment = running.flatMap { one ->
            val place = one.placeFor(stack)
            one.service.passes.map { (name, text) -> name to filled(one.service, text, place) }
        }.toMap() + stack.environment)

    /** Waits until all are ready. Throws [ServiceFailed] if one ends, or is not ready within [MAX_READY_NANOS]. */
    fun awaitReady() {
        val end = System.nanoTime() + MAX_READY_NANOS
        variables = running.flatMap { awaitReady(it, end) }.toMap()
    }

    /** All their processes, as of now. */
    fun family(): Set<Long> = running.flatMapTo(LinkedHashSet()) { it.family() }

    /**
     * The failure of a service that has ended; null while all run. Measurements after its end say nothing about the
     * stacks.
     */
    fun death(): ServiceFailed? =
        running.firstOrNull { !it.supervised.isAlive }?.let { one ->
            ServiceFailed(one.service.name, ServiceFault.Ended(one.supervised.exitCode), one.supervised.log)
        }

    private fun awaitReady(one: Running, end: Long): List<Pair<String, String>> {
        val service = one.service
        val supervised = one.supervised
        while (true) {
            val hasEnded = !supervised.isAlive
            if (service.ready == null) given(supervised.log)?.let { return withPassword(it) }
            else if (!hasEnded && isReady(one, service.ready)) return emptyList()
            val fault = when {
                hasEnded -> ServiceFault.EndedEarly(supervised.exitCode)
                System.nanoTime() > end -> ServiceFault.NotReady
                else -> null
            }
            if (fault != null) throw ServiceFailed(service.name, fault, supervised.log)
            Thread.sleep(POLL_MILLIS)
        }
    }

    private fun isReady(one: Running, ready: ServiceReady): Boolean {
        val told = filled(one.service, ready.port).toInt()
        val isApart = one.service.container?.port != null
        val (host, port) = if (isApart) one.container?.place() ?: return false else LOOPBACK to told
        val path = ready.path
        if (path != null) {
            return SingleRequest(Request(path = path), Connections()).use { it.ask(host, port) == null }
        }
        return try {
            Socket().use {
                it.connect(InetSocketAddress(InetAddress.getByName(host), port), CONNECT_MILLIS)
                one.container?.isPublished != true || isKeptOpen(it)
            }
        } catch (_: IOException) {
            false
        }
    }

    /** A connection that nobody behind a published port takes is closed at once. */
    private fun isKeptOpen(socket: Socket): Boolean = try {
        socket.soTimeout = HELD_MILLIS
        socket.getInputStream().read() >= 0
    } catch (_: SocketTimeoutException) {
        true
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
        running.asReversed().forEach { it.supervised.close() }
        // This follows no links: what a service has linked there is not ours to delete.
        folders.forEach { runCatching { it.deleteRecursively() } }
    }
}

/** One of the processes, which [supervised] is, or has started as [container]. */
private class Running(val service: Service, val supervised: SupervisedProcess, val container: RunningContainer?) {
    fun family(): Set<Long> = if (container == null) familyOf(supervised.pid) else container.family()

    /** Placeholders for where [stack] reaches it. Without a port, it is the one that the service was told. */
    fun placeFor(stack: Stack): Map<String, String> {
        val isStackApart = stack.container?.port != null
        val apart = try {
            if (isStackApart) container?.placeForContainers() else container?.place()
        } catch (missing: NoContainer) {
            throw ServiceFailed(service.name, ServiceFault.NoContainer(missing.fault), null)
        }
        if (apart != null) return mapOf(HOST to apart.first, PORT to "${apart.second}")
        return mapOf(HOST to if (isStackApart) ContainerEngine.HOST_NAME else LOOPBACK)
    }
}

/** The values on the line of [log] that reports its service ready, by name; null before there is such a line. */
internal fun given(log: Path): List<Pair<String, String>>? = log.readLines().firstOrNull { it.startsWith(READY) }
    ?.run {
        removePrefix(READY).split(' ').filter { '=' in it }.map { it.substringBefore('=') to it.substringAfter('=') }
    }

private const val HOST = "host"
private const val PORT = "port"
private const val READY = "ready "
private const val USER = "user"
private const val PASSWORD = "password"
private const val POLL_MILLIS = 20L
private const val CONNECT_MILLIS = 1_000
private const val HELD_MILLIS = 300

/** A database has to write a hundred thousand rows. */
private const val MAX_READY_NANOS = 180_000_000_000L
