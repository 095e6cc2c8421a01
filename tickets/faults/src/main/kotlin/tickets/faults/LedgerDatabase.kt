package threadgauge.tickets.faults

import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import java.sql.SQLException
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.jvm.optionals.getOrNull
import threadgauge.target.SupervisedProcess
import threadgauge.tickets.history.LedgerEntry
import threadgauge.tickets.history.LedgerSnapshot

/**
 * The database of a ledger, which can be killed at any moment and started again on its data, and which can be paused.
 * Not thread-safe, except for its queries.
 */
internal class LedgerDatabase(
    home: Path,
    private val folder: Path,
    val kind: LedgerKind = LedgerKind.POSTGRESQL,
) : AutoCloseable {
    private val log = folder.resolve("${kind.option}.log")
    private val data = Files.createDirectory(folder.resolve(kind.option))

    /** First the program that sets the database up, then the database itself. */
    private var process: SupervisedProcess = SupervisedProcess.start(
        listOf(java(), "-Xmx128m", "-jar", "target/${kind.jar}.jar") +
            listOf("--database=${kind.option}", "--folder=$data", "--articles=none"),
        home.resolve(kind.module), log,
    )
    private val properties: Map<String, String> = try {
        await(kind.option) {
            check(process.isAlive) { "${kind.option} did not start:\n${log.readText()}" }
            log.readLines().firstOrNull { it.startsWith(READY) }
        }.removePrefix(READY).split(' ').associate { it.substringBefore('=') to it.substringAfter('=') }
    } catch (failure: Exception) {
        process.close()
        throw failure
    }

    /**
     * Maximum file size in bytes, from its next start on. A larger write fails as on a full disk. Null for no limit.
     */
    var maxFileBytes: Long? = null

    private val jdbc get() = properties.getValue("jdbc")
    val port: Int get() = Regex(":(\\d+)/").find(jdbc)!!.groupValues[1].toInt()
    val user get() = properties.getValue("user")
    val password get() = properties.getValue("password")

    /** Kills all of its processes with SIGKILL and starts it again. Returns when it accepts connections. */
    fun kill() {
        val processes = processes()
        val command = restart(processes.first())
        processes.forEach { it.destroyForcibly() }
        await("the end of ${kind.option}") { Unit.takeIf { !process.isAlive } }
        process.close()
        process = SupervisedProcess.start(command, folder, log)
        await("${kind.option} to restart") {
            if (!process.isAlive) startAgain(command)
            try {
                connect().close()
            } catch (_: SQLException) {
                null
            }
        }
    }

    /** It refuses to start while a child process of the killed one is alive; that one ends within moments. */
    private fun startAgain(command: List<String>) {
        process.close()
        Thread.sleep(RETRY_MILLIS)
        process = SupervisedProcess.start(command, folder, log)
    }

    /** Runs [block] while all of its processes are paused (SIGSTOP). */
    fun <T> paused(block: () -> T): T {
        val pids = processes().map { "${it.pid()}" }
        fun signal(name: String) = ProcessBuilder(listOf("kill", "-$name") + pids).start().waitFor()
        signal("STOP")
        try {
            return block()
        } finally {
            signal("CONT")
        }
    }

    /** The first is the parent of all others. */
    private fun processes(): List<ProcessHandle> {
        val family = ProcessHandle.of(process.pid)
            .map { root -> listOf(root) + root.descendants().toList() }.orElse(emptyList())
        val own = family.filter { it.info().command().orElse("").endsWith("/${kind.program}") }
        return own.sortedBy { it.parent().getOrNull() in own }
    }

    private fun restart(first: ProcessHandle): List<String> {
        val info = first.info()
        val command = kind.restart(listOf(info.command().orElseThrow()) + info.arguments().orElseThrow())
        val max = maxFileBytes ?: return command
        // SIGXFSZ is ignored, because it would end the process; on a full disk there is no signal.
        val limited = "trap '' XFSZ; ulimit -f ${max / ULIMIT_BLOCK}; exec \"$@\""
        return listOf("/bin/sh", "-c", limited, "limited") + kind.withSmallLog(command)
    }

    /** Its JDBC URL through a proxy that listens on [proxyPort]. */
    fun jdbcThrough(proxyPort: Int) = jdbc.replace(":$port/", ":$proxyPort/")

    private val reader = LedgerReader(kind.clock, ::connect)

    /** See [LedgerReader.entries]. */
    fun entries(event: Long): List<LedgerEntry> = reader.entries(event)

    /** See [LedgerReader.snapshot]. */
    fun snapshot(event: Long): LedgerSnapshot = reader.snapshot(event)

    /** Whether its log contains [text]. */
    fun hasLogged(text: String): Boolean = text in log.readText()

    /** Runs [query] on a connection of its own, without a proxy. */
    fun <T> query(query: (Connection) -> T): T = reader.query(query)

    /** Locks the row of the [event] during [block], so no service can grant seats of it. */
    fun <T> locking(event: Long, block: () -> T): T = query { connection ->
        connection.autoCommit = false
        connection.createStatement().use { it.execute("select id from event where id = $event for update") }
        block()
    }

    private fun connect(): Connection = DriverManager.getConnection(jdbc, user, password)

    override fun close() = process.close()

    private companion object {
        const val READY = "ready "
        const val RETRY_MILLIS = 200L

        /** Unit of the shell's `ulimit -f` in bytes (POSIX). */
        const val ULIMIT_BLOCK = 512
    }
}

internal fun java(): String = Path.of(System.getProperty("java.home"), "bin", "java").toString()
