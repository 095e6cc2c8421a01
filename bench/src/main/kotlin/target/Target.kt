package threadgauge.target

import java.io.IOException
import java.net.ConnectException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpResponse
import java.nio.file.Path
import java.time.Duration
import kotlin.io.path.readText
import threadgauge.contract.client.Access
import threadgauge.model.Boot
import threadgauge.model.Stack
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure
import threadgauge.model.failure.LogEnd
import threadgauge.model.failure.ReadyStep
import threadgauge.model.failure.ServiceFault
import threadgauge.model.failure.TargetFault

/** The server under measurement. Its creator closes it. */
interface Target : AutoCloseable {
    /** Address of the server; with [port], where requests go. */
    val host: String
    val port: Int

    /** All addresses of the server: connections are spread over these in turn. The first is [host] and [port]. */
    val endpoints: List<Endpoint> get() = listOf(Endpoint(host, port))

    /** The process that answers; null if it cannot be seen. */
    val pid: Long?

    /** File of its output; null if it was not started here. */
    val log: Path?

    /** All processes that take part in serving, as of now. */
    fun family(): Set<Long> = setOfNotNull(pid)

    /** Throws [TargetFailed] if the process has ended by itself. */
    fun checkAlive()

    /**
     * To be called after a refused connection. Throws [TargetFailed] if one of its [endpoints] refuses connections, or
     * its process has ended. [before] are its [listeningPorts] at a time when it served.
     */
    fun checkListening(before: Set<Int>) {
        val closed = endpoints.firstOrNull { it.refuses() } ?: return
        awaitDeath()?.let { throw it }
        throw TargetFailed(TargetFault.PortClosed(closed.port, (listeningPorts() - before).sorted()), log)
    }

    /** All ports on which its processes listen, including those of the JVM itself; empty if they cannot be seen. */
    fun listeningPorts(): Set<Int> = listening(family()).mapTo(LinkedHashSet()) { it.port }

    /**
     * To be called after a lost connection: returns why the process has ended, null if it still runs. A connection
     * breaks some moments before the end of the process shows, so this waits up to half a second.
     */
    fun awaitDeath(): TargetFailed? {
        val end = System.nanoTime() + DEATH_SEEN_NANOS
        try {
            do {
                checkAlive()
                Thread.sleep(POLL_MILLIS)
            } while (System.nanoTime() < end)
        } catch (death: TargetFailed) {
            return death
        }
        return null
    }

    companion object {
        /**
         * Starts [stack] on a free port of this machine, pinned to [cores], with its output in [log]. [variables]
         * replace `{name}` in its command. Throws [TargetFailed].
         */
        fun start(stack: Stack, variables: Map<String, String>, cores: List<Int>, log: Path): StackTarget {
            val port = freePort()
            val command = filledIn(stack.command, variables + ("port" to port.toString()))
            return start(withGivenVariables(command), Path.of(stack.folder), port, cores, log)
        }

        /** Starts any [command] that will serve [port]. Throws [TargetFailed]. */
        fun start(command: List<String>, folder: Path, port: Int, cores: List<Int>, log: Path): StackTarget {
            val whole = pinned(command, cores)
            val startedNanos = System.nanoTime()
            return StackTarget(whole, port, SupervisedProcess.start(whole, folder, log), startedNanos)
        }

        /** Replaces `{name}` in [command]. A name that [variables] does not have becomes empty: no request needs it. */
        internal fun filledIn(command: List<String>, variables: Map<String, String>): List<String> =
            command.map { word -> VARIABLE.replace(word) { variables[it.groupValues[1]].orEmpty() } }

        private val VARIABLE = Regex("\\{([A-Za-z0-9]+)}")

        /** As [threadgauge.contract.freePort]. */
        fun freePort(): Int = threadgauge.contract.freePort()
    }
}

/** An address of a target. If [host] is a name, [address] is the IP address of it that answers. */
data class Endpoint(val host: String, val port: Int, val address: String? = null) {
    /** Where requests of plain HTTP go. */
    val http: URI get() = URI("http", null, host, port, null, null, null)

    /**
     * True if nothing listens there. False also if connecting fails for another reason, which says nothing about that.
     */
    fun refuses(): Boolean = try {
        Socket().use { it.connect(InetSocketAddress(address ?: host, port), REFUSED_WITHIN_MILLIS) }
        false
    } catch (_: ConnectException) {
        true
    } catch (_: IOException) {
        false
    }
}

/** A stack that keeps the contract: it serves the port that it was assigned, and answers `GET /hello`. */
class StackTarget internal constructor(
    val command: List<String>,
    override val port: Int,
    private val supervised: SupervisedProcess,
    private val startedNanos: Long,
) : Target {
    override val host get() = "127.0.0.1"
    override val pid get() = supervised.pid
    override val log get() = supervised.log

    /** Plain HTTP without a login, as for nearly all stacks. */
    private val plainly get() = Access(URI("http://127.0.0.1:$port"))

    /**
     * Waits until the port is open, then until `GET /hello` by [access] is answered with 200 and the body [hello].
     * Returns both times, measured from the start of the process. Throws [TargetFailed] if the process ends or
     * [patience] is over.
     */
    fun awaitReady(patience: Duration, hello: String, access: Access = plainly): Boot =
        access.newClient(ANSWER_PATIENCE).use { client ->
            awaitReady(patience, ReadyStep.ANSWER_HELLO, hello) { isCorrect(client, access, hello) }
        }

    /** The same, but the last step is that [isReady]; [step] names it in the failure. */
    fun awaitReady(patience: Duration, step: ReadyStep, hello: String? = null, isReady: () -> Boolean): Boot {
        val deadline = startedNanos + patience.toNanos()
        val open = awaitTrue(deadline, TargetFault.NotReady(ReadyStep.OPEN_PORT, port)) { isPortOpen() }
        val answered = awaitTrue(deadline, TargetFault.NotReady(step, port, hello), isReady)
        return Boot(portOpenMillis = open, firstAnswerMillis = answered)
    }

    override fun checkAlive() {
        val code = supervised.exitCode ?: return
        throw TargetFailed(TargetFault.Ended(code), log)
    }

    /**
     * Sends SIGTERM and waits up to [patience]: what the process writes when it ends may take a while. Throws
     * [TargetFailed] if it has not ended by then.
     */
    fun endByItself(patience: Duration) {
        ProcessHandle.of(pid).ifPresent { it.destroy() }
        if (!supervised.awaitEnd(patience)) throw TargetFailed(TargetFault.DidNotEnd(patience.toSeconds()), log)
    }

    override fun close() = supervised.close()

    private fun awaitTrue(deadlineNanos: Long, late: TargetFault, condition: () -> Boolean): Double {
        while (!condition()) {
            checkAlive()
            if (System.nanoTime() > deadlineNanos) throw TargetFailed(late, log)
            Thread.sleep(POLL_MILLIS)
        }
        return (System.nanoTime() - startedNanos) / 1e6
    }

    private fun isPortOpen() = try {
        Socket().use { it.connect(InetSocketAddress("127.0.0.1", port), 1_000) }
        true
    } catch (_: IOException) {
        false
    }

    /** If the server requires a login, that comes first; a failed login means that the server is not ready yet. */
    private fun isCorrect(client: HttpClient, access: Access, body: String) = try {
        val request = access.request("/hello").timeout(ANSWER_PATIENCE).build()
        client.send(request, HttpResponse.BodyHandlers.ofString()).let { it.statusCode() == 200 && it.body() == body }
    } catch (_: IOException) {
        false
    }
}

/** A server that could not be started, ended too early or is not what it should be. [log] is null if it has none. */
class TargetFailed(fault: TargetFault, log: Path?) : Failed(Failure.Target(fault, log?.let(::endOf)))

/** A process that stacks use, called [name], failed. [log] is null if it has none. */
class ServiceFailed(name: String, fault: ServiceFault, log: Path?) :
    Failed(Failure.Service(name, fault, log?.let(::endOf)))

/** The last lines of [log] without frames of stack traces, each cut to [MAX_LOG_LINE_LENGTH] characters. */
private fun endOf(log: Path): LogEnd {
    val lines =
        runCatching { log.readText() }.getOrDefault("").lines().filterNot { it.isBlank() || FRAME.containsMatchIn(it) }
    return LogEnd("$log", lines.takeLast(MAX_LOG_LINES).map { it.trim().take(MAX_LOG_LINE_LENGTH) })
}

private val FRAME = Regex("^\\s*(at |\\.\\.\\. \\d+ )")
private const val MAX_LOG_LINES = 5
private const val MAX_LOG_LINE_LENGTH = 200
private const val POLL_MILLIS = 5L
private const val REFUSED_WITHIN_MILLIS = 1_000

/** How long after a broken connection the end of a process may show. */
private const val DEATH_SEEN_NANOS = 500_000_000L
private val ANSWER_PATIENCE: Duration = Duration.ofSeconds(10)
