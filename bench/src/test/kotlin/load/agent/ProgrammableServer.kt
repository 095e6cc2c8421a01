package threadgauge.load.agent

import java.io.InputStream
import java.io.OutputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

/**
 * A server that does exactly what a test tells it to: [serve] gets each request head and the exchange to answer it
 * with. One virtual thread per connection. [requests] counts the heads that came.
 */
internal class ProgrammableServer(private val serve: Exchange.(number: Int) -> Unit) : AutoCloseable {
    private val listening = ServerSocket(0, 1_000, InetAddress.getLoopbackAddress())
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
        while (!socket.isClosed && readHead(input)) Exchange(socket).serve(requests.getAndIncrement())
    }

    private fun readHead(input: InputStream): Boolean {
        var matched = 0
        while (matched < 4) {
            val byte = input.read()
            if (byte < 0) return false
            matched = if (byte == END[matched].code) matched + 1 else if (byte == END[0].code) 1 else 0
        }
        return true
    }

    override fun close() {
        listening.close()
        sockets.forEach { it.close() }
        accepting.join()
    }

    internal class Exchange(private val socket: Socket) {
        private val out: OutputStream = socket.outputStream

        fun answer(body: String = "ok", status: String = "200 OK", headers: String = "") =
            raw("HTTP/1.1 $status\r\nContent-Length: ${body.length}\r\n$headers\r\n$body")

        fun raw(text: String) = out.write(text.toByteArray(Charsets.ISO_8859_1))

        fun closeConnection() = socket.close()

        /** An abrupt end, which the other side sees as a reset. */
        fun reset() {
            socket.setSoLinger(true, 0)
            socket.close()
        }
    }
}

private const val END = "\r\n\r\n"
