package threadgauge.server.database

import redis.embedded.core.ExecutableProvider
import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.nio.file.Path

/**
 * A Redis of our own, reached at 127.0.0.1 alone, that writes every command to the disk before it answers (`appendfsync always`): as safe
 * as it can be, so that nobody can say that it was fast because it forgets. It ends with this process, however that ends; see [Owned].
 */
internal class RedisServer private constructor(private val server: Owned, port: Int) : Database {
    override val readyLine = "ready redis=redis://127.0.0.1:$port"
    override val settings = DURABLE

    override fun awaitEnd(): Int {
        server.awaitEnd()
        return EXIT_ENDED
    }

    override fun close() = server.close()

    companion object {
        /** In [folder], which must be empty, on [port]; 0 finds a free one. */
        fun start(folder: Path, port: Int): RedisServer {
            val program = ExecutableProvider.newJarResourceProvider(folder.toFile()).get()
            val chosen = chosenPort(port)
            val options = listOf("--port", "$chosen", "--bind", "127.0.0.1", "--dir", "$folder", "--save", "") +
                DURABLE.flatMap { (name, value) -> listOf("--$name", value) }
            val server = Owned.start(listOf("$program") + options)
            try {
                awaitAnswer(server, chosen)
            } catch (failure: Exception) {
                server.close()
                throw failure
            }
            return RedisServer(server, chosen)
        }

        private fun awaitAnswer(server: Owned, port: Int) {
            val end = System.nanoTime() + START_NANOS_MOST
            while (!answers(port)) {
                check(server.isAlive) { "redis-server ended before it could be asked; it said why above" }
                check(System.nanoTime() < end) { "redis-server does not answer" }
                Thread.sleep(POLL_MILLIS)
            }
        }

        private fun answers(port: Int): Boolean = try {
            Socket().use { socket ->
                socket.connect(InetSocketAddress("127.0.0.1", port), PATIENCE_MILLIS)
                socket.soTimeout = PATIENCE_MILLIS
                socket.outputStream.write("PING\r\n".encodeToByteArray())
                socket.inputStream.bufferedReader().readLine() == "+PONG"
            }
        } catch (_: IOException) {
            false
        }

        private val DURABLE = mapOf("appendonly" to "yes", "appendfsync" to "always")
        private const val EXIT_ENDED = 70
        private const val START_NANOS_MOST = 30_000_000_000L
        private const val PATIENCE_MILLIS = 2_000
        private const val POLL_MILLIS = 20L
    }
}
