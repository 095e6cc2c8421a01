package threadgauge.load.agent.link

import java.io.BufferedReader
import java.io.IOException
import java.net.Socket
import javax.net.ssl.SSLSocket
import jdk.net.ExtendedSocketOptions

/**
 * Lines of UTF-8 over TLS. [receive] is for one thread, [send] and [close] for any. An end of the other machine that
 * nobody announces shows after some ten seconds, as the end of lines: see [watch].
 */
internal class LineSocket(private val socket: SSLSocket) : AutoCloseable {
    private val input: BufferedReader = socket.inputStream.bufferedReader()
    private val output = socket.outputStream.bufferedWriter()

    /** Throws [IOException] if the other side is gone. */
    fun send(line: String) = synchronized(output) {
        output.write(line + "\n")
        output.flush()
    }

    fun send(message: LinkMessage) = send(LinkMessage.lineOf(message))

    /** Null at the end. A line longer than [MAX_LINE] characters ends it, too. Throws [IOException]. */
    fun receive(): String? {
        val line = StringBuilder()
        while (true) {
            when (val read = input.read()) {
                -1 -> return null
                '\n'.code -> return line.toString()
                else -> line.append(read.toChar())
            }
            if (line.length > MAX_LINE) throw IOException("a line of more than $MAX_LINE characters")
        }
    }

    /** From now on [receive] throws `SocketTimeoutException` after [millis] without a line; 0: never. */
    fun patience(millis: Int) {
        socket.soTimeout = millis
    }

    override fun close() = socket.close()

    companion object {
        /** A histogram as text has some thousand, an order with scenarios and their files some million. */
        private const val MAX_LINE = 64_000_000

        /** Has the system notice an unannounced end of the other machine, which else never shows without traffic. */
        fun watch(socket: Socket) {
            socket.tcpNoDelay = true
            socket.keepAlive = true
            val supported = socket.supportedOptions()
            if (ExtendedSocketOptions.TCP_KEEPIDLE !in supported) return
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 5)
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 2)
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3)
        }
    }
}
