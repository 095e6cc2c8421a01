package threadgauge.tickets.faults

import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.readLines
import kotlin.io.path.readText
import threadgauge.target.SupervisedProcess

/**
 * A Redis that can be killed, emptied, restored from a backup and paused at any moment. Its port stays the same. Not
 * thread-safe.
 */
internal class RedisServer(home: Path, private val folder: Path) : AutoCloseable {
    private val log = folder.resolve("redis.log")
    private val data = Files.createDirectory(folder.resolve("redis"))

    /** First the program that starts Redis, then Redis itself. */
    private var process: SupervisedProcess = SupervisedProcess.start(
        listOf(java(), "-Xmx64m", "-jar", "target/database.jar", "--database=redis", "--folder=$data"),
        home.resolve("servers/services/database"), log,
    )

    val address: String = try {
        await("Redis") {
            check(process.isAlive) { "Redis did not start:\n${log.readText()}" }
            log.readLines().firstOrNull { it.startsWith(READY) }
        }.removePrefix(READY)
    } catch (failure: Exception) {
        process.close()
        throw failure
    }

    val port = URI(address).port

    /** A copy of the program, which is deleted with the process that unpacked it. */
    private val program = folder.resolve("redis-server").also { copy ->
        val running = Path.of(checkNotNull(process()).info().command().orElseThrow())
        Files.copy(running, copy, StandardCopyOption.COPY_ATTRIBUTES)
    }

    /** A copy of its data at the last [backUp]. */
    private val backup = folder.resolve("redis-backup.aof")

    /** Kills it with SIGKILL and starts it again on its data. Returns when it replies. */
    fun kill() = restart {}

    /** Copies its current data, as a replication does. */
    fun backUp() {
        Files.copy(data.resolve(DATA_FILE), backup, StandardCopyOption.REPLACE_EXISTING)
    }

    /** False before [backUp]. */
    val hasBackup: Boolean get() = Files.exists(backup)

    /** Kills it with SIGKILL and starts it again on the backup, so without any later write. */
    fun restoreBackup() = restart { Files.move(backup, data.resolve(DATA_FILE), StandardCopyOption.REPLACE_EXISTING) }

    private fun restart(whileDown: () -> Unit) {
        process()?.destroyForcibly()
        await("the end of Redis") { Unit.takeIf { process() == null } }
        process.close()
        whileDown()
        val options = listOf("--port", "$port", "--bind", "127.0.0.1", "--dir", "$data", "--save", "") +
            listOf("--appendonly", "yes", "--appendfsync", "always")
        process = SupervisedProcess.start(listOf("$program") + options, folder, log)
        await("Redis to restart") { Unit.takeIf { "PONG" in execute("PING").orEmpty() } }
    }

    /** Deletes all of its data. */
    fun empty() {
        check("OK" in execute("FLUSHALL").orEmpty()) { "Redis was not emptied" }
    }

    /** Pauses it with SIGSTOP for [millis]. */
    fun pauseFor(millis: Long) {
        val pid = process()?.pid() ?: return
        ProcessBuilder("kill", "-STOP", "$pid").start().waitFor()
        Thread.sleep(millis)
        ProcessBuilder("kill", "-CONT", "$pid").start().waitFor()
    }

    override fun close() = process.close()

    private fun process(): ProcessHandle? = ProcessHandle.of(process.pid)
        .map { listOf(it) + it.descendants().toList() }.orElse(emptyList())
        .firstOrNull { "redis-server" in it.info().command().orElse("") }

    /** Number of requests in the queue of its only sale, taken or not. */
    fun queuedRequests(): Int? = execute(QUEUE_LENGTH)?.removePrefix(":")?.toIntOrNull()

    /** The first line of the reply; null if there is none. */
    private fun execute(command: String): String? = runCatching {
        Socket().use { socket ->
            socket.connect(InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS)
            socket.soTimeout = TIMEOUT_MILLIS
            socket.outputStream.write("$command\r\n".encodeToByteArray())
            socket.inputStream.bufferedReader().readLine()
        }
    }.getOrNull()

    private companion object {
        const val READY = "ready redis="

        /** Its name up to version 6 of Redis. */
        const val DATA_FILE = "appendonly.aof"

        /** The services call their stream so. */
        const val QUEUE_LENGTH = """EVAL "return redis.call('XLEN', redis.call('KEYS', '*:asks')[1])" 0"""
        const val TIMEOUT_MILLIS = 2_000
    }
}
