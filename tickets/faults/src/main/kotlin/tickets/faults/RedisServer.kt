package threadgauge.tickets.faults

import threadgauge.target.Leash
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.readLines

/** A Redis of our own that can be killed, emptied, set back and stopped at any moment, and keeps its port. For one thread at a time. */
internal class RedisServer(home: Path, private val folder: Path) : AutoCloseable {
    private val log = folder.resolve("redis.log")
    private val data = Files.createDirectory(folder.resolve("redis"))

    /** Of whoever runs now: first the program that starts Redis, then Redis itself. */
    private var leash: Leash = Leash.start(
        listOf(java(), "-Xmx64m", "-jar", "target/database.jar", "--database=redis", "--folder=$data"),
        home.resolve("servers/database"), log,
    )

    val address: String = try {
        await("Redis") {
            check(leash.isAlive) { "Redis did not start; see $log" }
            log.readLines().firstOrNull { it.startsWith(READY) }
        }.removePrefix(READY)
    } catch (failure: Exception) {
        leash.close()
        throw failure
    }

    val port = URI(address).port

    /** A copy, since the program goes with whoever unpacked it. */
    private val program = folder.resolve("redis-server").also { copy ->
        Files.copy(Path.of(checkNotNull(process()).info().command().orElseThrow()), copy, StandardCopyOption.COPY_ATTRIBUTES)
    }

    /** All that it had written when [backUp] was called last. */
    private val kept = folder.resolve("redis-kept.aof")

    /** `kill -9`, then a new start on what it had written. Returns when it can be asked again. */
    fun kill() = startAnew {}

    /** Takes a copy of what it has written so far, as one that copies itself elsewhere does. */
    fun backUp() {
        Files.copy(data.resolve(WRITTEN), kept, StandardCopyOption.REPLACE_EXISTING)
    }

    /** False before [backUp]. */
    val hasBackup: Boolean get() = Files.exists(kept)

    /** `kill -9`, then a new start on what was kept: what it has been told since then it does not know. */
    fun restoreBackup() = startAnew { Files.move(kept, data.resolve(WRITTEN), StandardCopyOption.REPLACE_EXISTING) }

    private fun startAnew(meanwhile: () -> Unit) {
        process()?.destroyForcibly()
        await("the end of Redis") { Unit.takeIf { process() == null } }
        leash.close()
        meanwhile()
        val options = listOf("--port", "$port", "--bind", "127.0.0.1", "--dir", "$data", "--save", "") +
            listOf("--appendonly", "yes", "--appendfsync", "always")
        leash = Leash.start(listOf("$program") + options, folder, log)
        await("Redis after its death") { Unit.takeIf { "PONG" in order("PING").orEmpty() } }
    }

    /** Forgets everything, as one does that was set up anew. */
    fun empty() {
        check("OK" in order("FLUSHALL").orEmpty()) { "Redis was not emptied" }
    }

    /** SIGSTOP, and SIGCONT after so long. */
    fun pauseFor(millis: Long) {
        val pid = process()?.pid() ?: return
        ProcessBuilder("kill", "-STOP", "$pid").start().waitFor()
        Thread.sleep(millis)
        ProcessBuilder("kill", "-CONT", "$pid").start().waitFor()
    }

    override fun close() = leash.close()

    private fun process(): ProcessHandle? = ProcessHandle.of(leash.pid).map { listOf(it) + it.descendants().toList() }.orElse(emptyList())
        .firstOrNull { "redis-server" in it.info().command().orElse("") }

    /** Asks in the queue of its only sale, taken or not. */
    fun asks(): Int? = order(ASKS)?.removePrefix(":")?.toIntOrNull()

    /** The first line of the answer; null where nobody answers. */
    private fun order(words: String): String? = runCatching {
        Socket().use { socket ->
            socket.connect(InetSocketAddress("127.0.0.1", port), PATIENCE_MILLIS)
            socket.soTimeout = PATIENCE_MILLIS
            socket.outputStream.write("$words\r\n".encodeToByteArray())
            socket.inputStream.bufferedReader().readLine()
        }
    }.getOrNull()

    private companion object {
        const val READY = "ready redis="

        /** As Redis calls it up to version 6. */
        const val WRITTEN = "appendonly.aof"
        const val ASKS = """EVAL "return redis.call('XLEN', redis.call('KEYS', '*:asks')[1])" 0"""
        const val PATIENCE_MILLIS = 2_000
    }
}
