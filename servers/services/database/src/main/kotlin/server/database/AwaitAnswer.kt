package threadgauge.server.database

import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.time.Duration

/**
 * Waits until [server], a program of that [name], answers as [talk] wants it at [port] of this machine. Throws where it ends, or does not
 * within [patience].
 */
internal fun awaitAnswer(server: Owned, name: String, port: Int, patience: Duration, talk: (Socket) -> Boolean) {
    val end = System.nanoTime() + patience.toNanos()
    while (!answers(port, talk)) {
        check(server.isAlive) { "$name ended before it could be asked; it said why above" }
        check(System.nanoTime() < end) { "$name does not answer" }
        Thread.sleep(POLL_MILLIS)
    }
}

private fun answers(port: Int, talk: (Socket) -> Boolean): Boolean = try {
    Socket().use { socket ->
        socket.connect(InetSocketAddress("127.0.0.1", port), PATIENCE_MILLIS)
        socket.soTimeout = PATIENCE_MILLIS
        talk(socket)
    }
} catch (_: IOException) {
    false
}

private const val PATIENCE_MILLIS = 2_000
private const val POLL_MILLIS = 20L
