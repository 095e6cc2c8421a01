package threadgauge.target

import com.sun.net.httpserver.HttpServer
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.nio.file.Path
import kotlin.system.exitProcess

/**
 * A service as a user might have: each argument `port:path:body` is a port at which it answers that path alone, or all
 * where the path is `*`; the port 0 stands for the variable PORT, a name for the variable of that name. A fourth part
 * is how many milliseconds it waits before it opens that port and all that follow. The path `!` is a port that accepts
 * connections and answers nothing.
 */
object TinyService {
    /** Kept, so that nobody closes them. */
    private val silent = ArrayList<ServerSocket>()

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
            val server = HttpServer.create(InetSocketAddress("127.0.0.1", asked), 0)
            server.createContext("/") { exchange ->
                val status = if (path == "*" || exchange.requestURI.path == path) 200 else 404
                exchange.sendResponseHeaders(status, body.length.toLong())
                exchange.responseBody.use { it.write(body.toByteArray()) }
            }
            server.start()
        }
    }

    /** Words of a command that starts it with [arguments]. */
    fun command(vararg arguments: String): List<String> {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        return listOf(java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), javaClass.name) +
            arguments
    }
}
