package threadgauge.target

import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import threadgauge.model.Boot
import threadgauge.model.Container
import threadgauge.model.SeenPort
import threadgauge.model.Stack
import threadgauge.model.failure.AnswerFault
import threadgauge.model.failure.EndHint
import threadgauge.model.failure.TargetFault

/**
 * A service of the user's own, started here, as a process or in a container. It is not known which port it serves, or
 * which of its processes answers: both are found from the sockets that its processes listen on. A container with a
 * network of its own is asked at the port that the user names.
 *
 * Belongs to the run's thread, except for [close].
 */
class OwnService private constructor(
    private val stack: Stack,
    val command: List<String>,
    private val told: List<Int>,
    private val supervised: SupervisedProcess,
    private val startedNanos: Long,
    private val container: RunningContainer? = null,
) : Target {
    private var found: Listening? = null
    private var openMillis: Double? = null

    /** Every port that one of its processes was seen to listen on; guarded by this. */
    private val seen = LinkedHashSet<Int>()

    /** Its processes as last seen; a handle knows its process from a later one of the same number. */
    private val known = ConcurrentHashMap.newKeySet<ProcessHandle>()

    /** The last result of each port that was tried before the service was ready. */
    var answers: List<SeenPort> = emptyList()
        private set

    override val host get() = found?.host ?: "127.0.0.1"
    override val port get() = found?.port ?: told.first()
    override val pid get() = if (container != null) container.pid else found?.pid ?: supervised.pid
    override val log get() = supervised.log

    /** True if the service uses a port that it was assigned. */
    val tookItsPort get() = port in told

    /** Also those that outlived their leader, as long as this saw them before. */
    override fun family(): Set<Long> {
        val living = if (container == null) familyOf(supervised.pid) else container.family()
        living.mapNotNullTo(known) { ProcessHandle.of(it).orElse(null) }
        known.removeIf { !it.isAlive }
        return living
    }

    /**
     * Waits for the first correct answer. [ask] sends the request to a host and a port and returns what was wrong with
     * the answer, null for a correct one; it is called from several threads at the same time. [servicePort] decides
     * which port counts; [likelyPort] is the one of an earlier start. Throws [TargetFailed] if the process ends, time
     * is up, or it [isHopeless].
     */
    fun awaitReady(likelyPort: Int? = null, ask: (host: String, port: Int) -> AnswerFault?): Boot {
        val likely = listOfNotNull(likelyPort) + told
        val deadline = startedNanos + stack.startWithinNanos
        val quiet = Quiet(::family)
        PortsAsked(ask).use { asking ->
            while (true) {
                checkAlive()
                val open = openPorts()
                if (open.isNotEmpty() && openMillis == null) openMillis = millisAt(System.nanoTime())
                asking.ask(open)
                val ports = open.map { it.port }
                val answered = asking.answers
                val now = System.nanoTime()
                val isOver = now - deadline > 0
                val isStarted = isOver || quiet.nanos() >= QUIET_NANOS
                servicePort(likely, ports, answered, isStarted)?.let { return ready(it, answered) }
                if (isOver || isHopeless(told, answered, now)) throw TargetFailed(neverReady(answered), log)
                Thread.sleep(POLL_MILLIS)
            }
        }
    }

    override fun checkAlive() {
        val code = supervised.exitCode ?: return
        val hint = when {
            code == 0 -> EndHint.IN_BACKGROUND
            !portTaken() -> null
            told.size == 1 && hasOpened(told.single()) && isFree(told.single()) -> EndHint.PORT_TWICE
            else -> EndHint.PORT_TAKEN
        }
        throw TargetFailed(TargetFault.Ended(code, hint), log)
    }

    /**
     * Stops all its processes, including those in sessions of their own, which the supervisor does not reach. Then
     * waits up to [FREE_WITHIN] until its ports are free, because the next service may want the same ones.
     */
    override fun close() {
        if (supervised.isAlive) family()
        supervised.close()
        known.forEach { it.destroyForcibly() }
        val deadline = System.nanoTime() + FREE_WITHIN
        val ports = synchronized(seen) { seen.toList() }
        while (ports.any { !isFree(it) } && System.nanoTime() < deadline) Thread.sleep(POLL_MILLIS)
    }

    private fun openPorts(): List<Listening> {
        if (stack.container?.port != null) return openInContainer()
        val all = listening(family()).ifEmpty { openAsTold() }
        synchronized(seen) { all.forEach { seen += it.port } }
        val given = stack.port ?: return all
        // The port of a container belongs to a process outside the family: whatever answers at the given port counts.
        return all.filter { it.port == given }.ifEmpty {
            if (isOpen(given)) listOf(Listening(supervised.pid, "127.0.0.1", given)) else emptyList()
        }
    }

    /** Sockets of a container cannot be seen by whoever is not root; the ports that it was told can be tried. */
    private fun openAsTold(): List<Listening> {
        if (container == null) return emptyList()
        return told.filter { isOpen(it) }.map { Listening(container.pid ?: UNSEEN, LOOPBACK, it) }
    }

    /** Docker's own program accepts connections at a published port long before the service does. */
    private fun openInContainer(): List<Listening> {
        val (host, port) = container?.place() ?: return emptyList()
        return if (isOpen(port, host)) listOf(Listening(container.pid ?: UNSEEN, host, port)) else emptyList()
    }

    private fun ready(answer: PortsAsked.Answer, all: List<PortsAsked.Answer>): Boot {
        found = answer.at
        answers = all.map(::seen)
        val answered = millisAt(answer.nanos)
        return Boot(portOpenMillis = minOf(openMillis ?: answered, answered), firstAnswerMillis = answered)
    }

    private fun millisAt(nanos: Long) = (nanos - startedNanos) / 1e6

    private fun neverReady(answers: List<PortsAsked.Answer>) = TargetFault.NoCorrectAnswer(
        // A busy machine notices late that time is up: report no more than the limit.
        seconds = seconds(minOf(System.nanoTime() - startedNanos, stack.startWithinNanos)),
        port = stack.port,
        open = synchronized(seen) { seen.sorted() },
        answers = answers.filter { it.fault != null }.map(::seen).sortedBy { !it.isAssigned },
    )

    private fun seen(answer: PortsAsked.Answer) = SeenPort(answer.port, answer.port in told, answer.fault)

    private fun hasOpened(port: Int) = synchronized(seen) { port in seen }

    private fun portTaken() = runCatching { TAKEN.containsMatchIn(log.toFile().readText()) }.getOrDefault(false)

    companion object {
        /**
         * Starts [stack] pinned to [cores], with its output in [log]. It is assigned a free port in all usual ways: by
         * `{port}` in its command, and by environment variables. Each variable has a port of its own, because a service
         * may read several of them, for one port each. Throws [TargetFailed], also if the stack's fixed port is in use.
         */
        fun start(stack: Stack, java: String, cores: List<Int>, log: Path): OwnService {
            if (stack.container != null) return contained(stack, stack.container, cores, log)
            stack.port?.let { port -> if (!isFree(port)) throw TargetFailed(inUse(port), null) }
            val assigned = AssignedPorts(stack, stack.port, java)
            val whole = pinned(stack.command.map(assigned::filled), cores)
            val startedNanos = System.nanoTime()
            val supervised = SupervisedProcess.start(
                whole, Path.of(stack.folder), log, assigned.environment, inherits = System.getenv(),
            )
            return OwnService(stack, whole, assigned.all, supervised, startedNanos)
        }

        /** In a network of its own it serves the port that the user names, whatever it is told. */
        private fun contained(stack: Stack, container: Container, cores: List<Int>, log: Path): OwnService {
            val assigned = AssignedPorts(stack, container.port, "java")
            val running = try {
                val environment = if (container.port == null) assigned.environment else assigned.given
                RunningContainer.start(container, stack.command.map(assigned::filled), environment, cores, log)
            } catch (missing: NoContainer) {
                throw TargetFailed(TargetFault.NoContainer(missing.fault), null)
            }
            val told = if (container.port == null) assigned.all else running.ports
            return OwnService(stack, running.command, told, running.supervised, running.startedNanos, running)
        }
    }
}

/** The ports that [stack] is assigned: [fixed] alone, or a free one in each of the usual ways. */
private class AssignedPorts(stack: Stack, fixed: Int?, private val java: String) {
    private val port = fixed ?: Target.freePort()
    private val variables = PORT_VARIABLES.withIndex().associate { (index, name) ->
        name to if (index == 0 || fixed != null) port else Target.freePort()
    }

    /** Variables that the user gives it. */
    val given: Map<String, String> = stack.environment.mapValues { filled(it.value) }

    /** All its variables, those of the ports among them. */
    val environment: Map<String, String> = variables.mapValues { "${it.value}" } + given

    /** The likeliest first. */
    val all: List<Int> = (listOf(port) + variables.filterKeys { it !in stack.environment }.values).distinct()

    fun filled(text: String) = text.replace("{port}", port.toString()).replace("{java}", java)
}

private fun inUse(port: Int) = TargetFault.PortInUse(port, listenersOn(port).firstOrNull()?.pid)

private fun isFree(port: Int) = try {
    ServerSocket().use { it.bind(InetSocketAddress(port)) }
    !isOpen(port)
} catch (_: IOException) {
    false
}

private fun isOpen(port: Int, host: String = LOOPBACK) = try {
    Socket().use { it.connect(InetSocketAddress(InetAddress.getByName(host), port), 1_000) }
    true
} catch (_: IOException) {
    false
}

private fun seconds(nanos: Long) = (nanos + 500_000_000) / 1_000_000_000

/** Read by Spring Boot and Helidon; by Ktor's samples and most platforms; by others; by Quarkus; by Micronaut. */
private val PORT_VARIABLES = listOf("SERVER_PORT", "PORT", "HTTP_PORT", "QUARKUS_HTTP_PORT", "MICRONAUT_SERVER_PORT")

/** What servers log when their port is in use. */
private val TAKEN =
    Regex("address (is )?already in use|port .{1,20}(already )?in use|EADDRINUSE", RegexOption.IGNORE_CASE)
private const val POLL_MILLIS = 10L

/** Stands for the process of a container that cannot be seen; no process has this number. */
private const val UNSEEN = -1L

/** Nanoseconds. */
private const val FREE_WITHIN = 10_000_000_000L
