package threadgauge.target

import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.nio.file.Path

/**
 * A service as a user might have: each argument `port:path:body` is a port at which it answers that path alone; the
 * port 0 stands for the variable PORT.
 */
object TinyService {
    @JvmStatic
    fun main(arguments: Array<String>) {
        for (argument in arguments) {
            val (port, path, body) = argument.split(':')
            val asked = port.toInt().takeIf { it > 0 } ?: System.getenv("PORT").toInt()
            val server = HttpServer.create(InetSocketAddress("127.0.0.1", asked), 0)
            server.createContext("/") { exchange ->
                val status = if (exchange.requestURI.path == path) 200 else 404
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
