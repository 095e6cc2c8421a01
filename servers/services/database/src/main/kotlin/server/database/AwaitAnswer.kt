package threadgauge.server.database

import java.io.File
import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.time.Duration

/**
 * Waits until [server], the program [name], listens on [port] of this machine and [talk] succeeds. Throws where the
 * process ends before, or after [patience].
 */
internal fun awaitAnswer(server: OwnedProcess, name: String, port: Int, patience: Duration, talk: (Socket) -> Boolean) {
    val end = System.nanoTime() + patience.toNanos()
    while (!answers(port, talk)) {
        check(server.isAlive) { "$name ended before it was ready; its output is above" }
        check(System.nanoTime() < end) { "$name does not answer on port $port; its threads:\n${threadsOf(name)}" }
        Thread.sleep(POLL_MILLIS)
    }
}

/** Where the threads of the programs [name] wait, one per line: why a database hangs cannot be asked later. */
private fun threadsOf(name: String): String = ProcessHandle.current().descendants()
    .filter { it.info().command().orElse("").endsWith("/$name") }.toList()
    .flatMap { process -> File("/proc/${process.pid()}/task").listFiles().orEmpty().toList() }
    .joinToString("\n") { task ->
        fun read(file: String) = runCatching { task.resolve(file).readText().trim() }.getOrElse { "?" }
        val state = read("status").lineSequence().firstOrNull { it.startsWith("State:") } ?: "?"
        "${read("comm")}, $state, waits in ${read("wchan")}"
    }

private fun answers(port: Int, talk: (Socket) -> Boolean): Boolean = try {
    Socket().use { socket ->
        socket.connect(InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS)
        socket.soTimeout = TIMEOUT_MILLIS
        talk(socket)
    }
} catch (_: IOException) {
    false
}

private const val TIMEOUT_MILLIS = 2_000
private const val POLL_MILLIS = 20L
