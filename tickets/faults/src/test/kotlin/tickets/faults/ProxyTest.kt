package threadgauge.tickets.faults

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.io.EOFException
import java.io.DataInputStream
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketException

class ProxyTest {
    /** Gives back whatever it is sent, in lines that begin with what looks like a commit where "commit" was sent. */
    private val database = ServerSocket(0, 10, InetAddress.getLoopbackAddress())
    private val proxy = Proxy(database.localPort)

    private val doorman = Thread.ofVirtual().start {
        while (!database.isClosed) {
            val socket = try {
                database.accept()
            } catch (_: IOException) {
                break
            }
            Thread.ofVirtual().start { runCatching { answer(socket) } }
        }
    }

    private fun answer(socket: Socket) = socket.use {
        val bytes = ByteArray(100)
        while (true) {
            val length = it.getInputStream().read(bytes)
            if (length < 0) return
            val asked = String(bytes, 0, length)
            it.getOutputStream().write(if (asked == "commit") COMMIT else asked.encodeToByteArray())
        }
    }

    @AfterEach
    fun stop() {
        proxy.close()
        database.close()
    }

    @Test
    fun `nothing is cut unless it is told to`() = connected { ask ->
        ask("hello") shouldBe "hello"
        ask("commit") shouldBe String(COMMIT)
        proxy.done shouldBe emptyMap()
    }

    @Test
    fun `a commit that is done is not told, once`() {
        proxy.cut(Proxy.Moment.COMMITTED)
        connected { ask ->
            ask("hello") shouldBe "hello"
            shouldBeCut { ask("commit") }
        }
        connected { ask -> ask("commit") shouldBe String(COMMIT) }
        proxy.done shouldBe mapOf("connections cut after a commit" to 1)
    }

    @Test
    fun `a request is lost on its way, once`() {
        proxy.cut(Proxy.Moment.ASKED)
        connected { ask -> shouldBeCut { ask("hello") } }
        connected { ask -> ask("hello") shouldBe "hello" }
        proxy.done shouldBe mapOf("connections cut before a request" to 1)
    }

    @Test
    fun `who connects while the database is dead finds that out`() {
        database.close()
        // Who waits for connections takes one more if it comes before he has noticed.
        doorman.join()
        connected { ask -> shouldBeCut { ask("hello") } }
    }

    private fun shouldBeCut(ask: () -> String) {
        val failed = shouldThrow<IOException> { ask() }
        (failed is EOFException || failed is SocketException) shouldBe true
    }

    private fun connected(talk: ((String) -> String) -> Unit) = Socket(InetAddress.getLoopbackAddress(), proxy.port).use { socket ->
        socket.soTimeout = 10_000
        val input = DataInputStream(socket.getInputStream())
        talk { words ->
            socket.getOutputStream().write(words.encodeToByteArray())
            val expected = if (words == "commit") COMMIT.size else words.length
            String(ByteArray(expected).also(input::readFully))
        }
    }

    private companion object {
        val COMMIT = byteArrayOf('C'.code.toByte(), 0, 0, 0, 11) + "COMMIT".encodeToByteArray() + 0
    }
}
