package threadgauge.target

import com.sun.net.httpserver.HttpServer
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.nio.file.Path
import kotlin.concurrent.thread
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.system.exitProcess

/**
 * A service as a user might have. Each argument `port:path:body` is a port at which it answers only that path, or all
 * if the path is `*`. The port 0 means the variable PORT, a name the variable of that name. A fourth part is how many
 * milliseconds it waits before it opens that port and all that follow. The path `!` is a port that accepts connections
 * and never answers. A body `@file` is the content of that file at each request.
 *
 * The variable [TROUBLE] names a file that causes faults, once for each text that it holds when a request arrives:
 * `hang` answers nothing from then on, `close` closes the port, `move` opens another one instead, and `leak` keeps
 * [LEAK_BYTES] more.
 */
object TinyService {
    /** Kept, so that they are not garbage-collected and closed. */
    private val silent = ArrayList<ServerSocket>()
    private val leaked = ArrayList<ByteArray>()
    private val trouble = System.getenv(TROUBLE)?.let(Path::of)
    private var done = ""

    @JvmStatic
    fun main(arguments: Array<String>) = try {
        serve(arguments)
    } catch (failure: IOException) {
        failure.printStackTrace()
        exitProcess(1)
    }

    private fun serve(arguments: Array<String>) {
        for (argument in arguments) {
            val (port, path, body) = argument.split(':')
            argument.split(':').getOrNull(3)?.let { Thread.sleep(it.toLong()) }
            val asked = when (val number = port.toIntOrNull()) {
                null -> System.getenv(port).toInt()
                0 -> System.getenv("PORT").toInt()
                else -> number
            }
            if (path == "!") {
                silent += ServerSocket(asked, 50, InetAddress.getLoopbackAddress())
                continue
            }
            open(asked, path, body)
        }
        // Without a server no thread would be left, and the process would end.
        if (trouble != null) thread { Thread.sleep(Long.MAX_VALUE) }
    }

    private fun open(port: Int, path: String, body: String) {
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", port), 0)
        server.createContext("/") { exchange ->
            if (trouble?.exists() == true) make(trouble.readText(), server) { open(0, path, body) }
            val text = if (body.startsWith('@')) Path.of(body.drop(1)).readText() else body
            val status = if (path == "*" || exchange.requestURI.path == path) 200 else 404
            exchange.sendResponseHeaders(status, text.length.toLong())
            exchange.responseBody.use { it.write(text.toByteArray()) }
        }
        server.start()
    }

    /** On the server's only thread. */
    private fun make(ordered: String, server: HttpServer, openAnother: () -> Unit) {
        if (ordered == done) return
        done = ordered
        when (ordered.substringBefore(' ')) {
            "hang" -> Thread.sleep(Long.MAX_VALUE)
            "close" -> server.stop(0)
            // The new one first: who finds the old port closed finds it.
            "move" -> openAnother().also { server.stop(0) }
            "leak" -> leaked += ByteArray(LEAK_BYTES) { 1 }
        }
    }

    const val TROUBLE = "TINY_TROUBLE"
    const val LEAK_BYTES = 40_000_000

    /** Words of a command that starts it with [arguments]. */
    fun command(vararg arguments: String): List<String> {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        // A young generation that is full at once: later growth is what the service keeps.
        val options = listOf("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmn4m")
        return listOf(java) + options + listOf("-cp", System.getProperty("java.class.path"), javaClass.name) + arguments
    }
}
