package threadgauge.target

import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress

/**
 * A server that breaks the contract: it answers `/hello` correctly, and requests to wait with half of the body. Its
 * argument is the port.
 */
object HalfTruth {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val server = HttpServer.create(InetSocketAddress("127.0.0.1", arguments.single().toInt()), 0)
        for ((path, body) in listOf("/hello" to "hello", "/delay" to "waited")) {
            server.createContext(path) { exchange ->
                exchange.responseHeaders["Content-Type"] = "text/plain;charset=UTF-8"
                exchange.sendResponseHeaders(200, body.length.toLong())
                exchange.responseBody.use { it.write(body.toByteArray()) }
            }
        }
        server.start()
    }
}
