package threadgauge.load.agent

import java.io.InputStream
import java.io.OutputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import javax.net.ssl.ExtendedSSLSession
import javax.net.ssl.SNIServerName
import javax.net.ssl.SSLSocket
import kotlin.concurrent.thread

/**
 * A server that does exactly what a test specifies: [serve] gets each request head and the exchange to answer it with.
 * One virtual thread per connection. [requests] counts the heads received.
 */
internal class ProgrammableServer(
    private val listening: ServerSocket = ServerSocket(0, 1_000, InetAddress.getLoopbackAddress()),
    private val serve: Exchange.(number: Int) -> Unit,
) : AutoCloseable {
    private val sockets = CopyOnWriteArrayList<Socket>()
    val port = listening.localPort
    val requests = AtomicInteger()
    val connections = AtomicInteger()

    private val accepting = thread(isDaemon = true) {
        while (true) {
            val socket = runCatching { listening.accept() }.getOrElse { return@thread }
            sockets += socket
            connections.incrementAndGet()
            Thread.startVirtualThread { runCatching { converse(socket) }.also { socket.close() } }
        }
    }

    private fun converse(socket: Socket) {
        socket.tcpNoDelay = true
        val input = socket.inputStream.buffered()
        while (!socket.isClosed) {
            val exchange = Exchange(socket, readHead(input) ?: return, input)
            if ("100-continue" !in exchange.head) exchange.body
            exchange.serve(requests.getAndIncrement())
        }
    }

    private fun readHead(input: InputStream): String? {
        val head = StringBuilder()
        while (!head.endsWith("\r\n\r\n")) head.append(input.read().takeIf { it >= 0 }?.toChar() ?: return null)
        return head.toString()
    }

    override fun close() {
        listening.close()
        sockets.forEach { it.close() }
        accepting.join()
    }

    internal class Exchange(private val socket: Socket, val head: String, val input: InputStream) {
        /** Read on first use. */
        val body: String by lazy {
            val length = Regex("(?i)content-length: (\\d+)").find(head)?.groupValues?.get(1)?.toInt() ?: 0
            String(input.readNBytes(length))
        }
        val path get() = head.split(' ')[1]

        /** The agreed TLS version. */
        val protocol: String get() = (socket as SSLSocket).session.protocol

        /** The server names that the client sent (SNI). */
        val serverNames: List<SNIServerName>
            get() = ((socket as SSLSocket).session as ExtendedSSLSession).requestedServerNames
        val from: InetAddress get() = socket.inetAddress

        /** Identifies the connection. */
        val connection: Any get() = socket
        private val out: OutputStream = socket.outputStream

        fun answer(body: String = "ok", status: String = "200 OK", headers: String = "") =
            raw("HTTP/1.1 $status\r\nContent-Length: ${body.length}\r\n$headers\r\n$body")

        fun raw(bytes: ByteArray) = out.write(bytes)

        fun raw(text: String) = out.write(text.toByteArray(Charsets.ISO_8859_1))

        fun closeConnection() = socket.close()

        /** Closes abruptly, which the other side sees as a reset. */
        fun reset() {
            socket.setSoLinger(true, 0)
            socket.close()
        }
    }
}
