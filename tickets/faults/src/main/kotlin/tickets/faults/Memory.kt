package threadgauge.tickets.faults

import threadgauge.target.Leash
import java.net.InetSocketAddress
import java.net.Socket
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.readLines

/** A Redis of our own that can be killed, emptied and stopped in the middle of anything, at one port. For one thread at a time. */
internal class Memory(home: Path, private val folder: Path) : AutoCloseable {
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

    private val port = URI(address).port

    /** A copy, since the program goes with whoever unpacked it. */
    private val program = folder.resolve("redis-server").also { copy ->
        Files.copy(Path.of(checkNotNull(process()).info().command().orElseThrow()), copy, StandardCopyOption.COPY_ATTRIBUTES)
    }

    /** `kill -9`, then a new start on what it had written. Returns when it can be asked again. */
    fun kill() {
        process()?.destroyForcibly()
        await("the end of Redis") { Unit.takeIf { process() == null } }
        leash.close()
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
    fun stopFor(millis: Long) {
        val pid = process()?.pid() ?: return
        ProcessBuilder("kill", "-STOP", "$pid").start().waitFor()
        Thread.sleep(millis)
        ProcessBuilder("kill", "-CONT", "$pid").start().waitFor()
    }

    override fun close() = leash.close()

    private fun process(): ProcessHandle? = ProcessHandle.of(leash.pid).map { listOf(it) + it.descendants().toList() }.orElse(emptyList())
        .firstOrNull { "redis-server" in it.info().command().orElse("") }

    /** Null where nobody answers. */
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
        const val PATIENCE_MILLIS = 2_000
    }
}
