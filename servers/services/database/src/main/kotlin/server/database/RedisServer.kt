package threadgauge.server.database

import java.net.Socket
import java.nio.file.Path
import java.time.Duration
import redis.embedded.core.ExecutableProvider

/**
 * A Redis on 127.0.0.1 alone that writes every command to the disk before it answers (`appendfsync always`): the most
 * durable setting, so that speed does not come from losing data. It ends with this process, see [OwnedProcess].
 */
internal class RedisServer private constructor(private val server: OwnedProcess, port: Int) : Database {
    override val readyLine = "ready redis=redis://127.0.0.1:$port"
    override val settings = DURABLE

    override fun awaitEnd(): Int {
        server.awaitEnd()
        return EXIT_ENDED
    }

    override fun close() = server.close()

    companion object {
        /** In [folder], which must be empty, on [port]; 0 means a free one. */
        fun start(folder: Path, port: Int): RedisServer {
            val program = ExecutableProvider.newJarResourceProvider(folder.toFile()).get()
            val chosen = chosenPort(port)
            val options = listOf("--port", "$chosen", "--bind", "127.0.0.1", "--dir", "$folder", "--save", "") +
                DURABLE.flatMap { (name, value) -> listOf("--$name", value) }
            val server = OwnedProcess.start(listOf("$program") + options)
            try {
                awaitAnswer(server, "redis-server", chosen, MAX_START, ::isReady)
            } catch (failure: Exception) {
                server.close()
                throw failure
            }
            return RedisServer(server, chosen)
        }

        private fun isReady(socket: Socket): Boolean {
            socket.outputStream.write("PING\r\n".encodeToByteArray())
            return socket.inputStream.bufferedReader().readLine() == "+PONG"
        }

        private val DURABLE = mapOf("appendonly" to "yes", "appendfsync" to "always")
        private val MAX_START = Duration.ofSeconds(30)
        private const val EXIT_ENDED = 70
    }
}
