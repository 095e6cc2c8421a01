package threadgauge.target

import java.io.IOException
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

/** The server under measurement. Whoever opened it closes it. */
interface Target : AutoCloseable {
    /** Where requests go. */
    val host: String
    val port: Int

    /** Everywhere that requests go: connections are spread over these in turn. The first is [host] and [port]. */
    val endpoints: List<Endpoint> get() = listOf(Endpoint(host, port))

    /** The process that answers; null where it cannot be seen. */
    val pid: Long?

    /** What it prints; null where nobody here started it. */
    val log: Path?

    /** Every process that has a part in serving, as seen now. */
    fun family(): Set<Long> = setOfNotNull(pid)

    /** Throws [TargetFailed] if the process has ended by itself. */
    fun checkAlive()

    /**
     * Why it has ended, for who has just lost a connection to it: that goes some moments before the process is seen to
     * have ended, so half a second is waited. Null where it runs on.
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
         * Starts [stack] on a free port of this machine, pinned to [cores], with its output in [log]; [variables] are
         * put in for `{name}`.
         */
        fun start(stack: Stack, variables: Map<String, String>, cores: List<Int>, log: Path): StackTarget {
            val port = freePort()
            val command = filledIn(stack.command, variables + ("port" to port.toString()))
            return start(withGivenVariables(command), Path.of(stack.folder), port, cores, log)
        }

        /** Starts any [command] that will serve [port]. */
        fun start(command: List<String>, folder: Path, port: Int, cores: List<Int>, log: Path): StackTarget {
            val whole = pinned(command, cores)
            val startedNanos = System.nanoTime()
            return StackTarget(whole, port, SupervisedProcess.start(whole, folder, log), startedNanos)
        }

        /** A name that [variables] does not know is left empty: nothing that is asked needs it. */
        internal fun filledIn(command: List<String>, variables: Map<String, String>): List<String> =
            command.map { word -> VARIABLE.replace(word) { variables[it.groupValues[1]].orEmpty() } }

        private val VARIABLE = Regex("\\{([A-Za-z0-9]+)}")

        /** As [threadgauge.contract.freePort]. */
        fun freePort(): Int = threadgauge.contract.freePort()
    }
}

/** Where a target is asked. */
data class Endpoint(val host: String, val port: Int)

/** A stack that keeps the contract: it serves the port that it was told, and answers `GET /hello`. */
class StackTarget internal constructor(
    val command: List<String>,
    override val port: Int,
    private val supervised: SupervisedProcess,
    private val startedNanos: Long,
) : Target {
    override val host get() = "127.0.0.1"
    override val pid get() = supervised.pid
    override val log get() = supervised.log

    /** As nearly all stacks are reached. */
    private val plainly get() = Access(URI("http://127.0.0.1:$port"))

    /**
     * Waits until the port is open, then until `GET /hello` by [access] is answered with 200 and the body [hello];
     * gives back both times from the start of the process. Throws [TargetFailed] when the process ends instead, or when
     * [patience] is over.
     */
    fun awaitReady(patience: Duration, hello: String, access: Access = plainly): Boot =
        access.newClient(ANSWER_PATIENCE).use { client ->
            awaitReady(patience, "answer GET /hello with \"$hello\"") { isCorrect(client, access, hello) }
        }

    /** The same, where [what] it must do is that [isReady]. */
    fun awaitReady(patience: Duration, what: String, isReady: () -> Boolean): Boot {
        val deadline = startedNanos + patience.toNanos()
        val open = awaitTrue(deadline, "open port $port") { isPortOpen() }
        return Boot(portOpenMillis = open, firstAnswerMillis = awaitTrue(deadline, what, isReady))
    }

    override fun checkAlive() {
        val code = supervised.exitCode ?: return
        throw TargetFailed("it ended with exit code $code", log)
    }

    /**
     * Asks it to end (SIGTERM) and waits until it has, for as long as [patience]: what it writes at its end may take a
     * while.
     */
    fun endByItself(patience: Duration) {
        ProcessHandle.of(pid).ifPresent { it.destroy() }
        if (!supervised.awaitEnd(patience)) throw TargetFailed("it did not end within ${patience.toSeconds()} s", log)
    }

    override fun close() = supervised.close()

    private fun awaitTrue(deadlineNanos: Long, what: String, condition: () -> Boolean): Double {
        while (!condition()) {
            checkAlive()
            if (System.nanoTime() > deadlineNanos) throw TargetFailed("it did not $what in time", log)
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

    /** Where the server wants a login, that comes first, so its failure is one more sign that it is not ready. */
    private fun isCorrect(client: HttpClient, access: Access, body: String) = try {
        val request = access.request("/hello").timeout(ANSWER_PATIENCE).build()
        client.send(request, HttpResponse.BodyHandlers.ofString()).let { it.statusCode() == 200 && it.body() == body }
    } catch (_: IOException) {
        false
    }
}

/** A server that could not be started or that ended too early. The message is for the user and names the log. */
class TargetFailed(
    reason: String,
    log: Path?,
) : Exception(if (log == null) reason else "$reason. Its log: $log${lastLines(log)}")

/** The end of a log without the frames of stack traces, which say least to who only wants to know what went wrong. */
private fun lastLines(log: Path): String {
    val lines =
        runCatching { log.readText() }.getOrDefault("").lines().filterNot { it.isBlank() || FRAME.containsMatchIn(it) }
    return if (lines.isEmpty()) " (empty)" else lines.takeLast(5).joinToString("") { "\n    | ${it.trim().take(200)}" }
}

private val FRAME = Regex("^\\s*(at |\\.\\.\\. \\d+ )")
private const val POLL_MILLIS = 5L
private const val DEATH_SEEN_NANOS = 500_000_000L
private val ANSWER_PATIENCE: Duration = Duration.ofSeconds(10)
