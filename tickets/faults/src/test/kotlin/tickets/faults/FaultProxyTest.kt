package threadgauge.tickets.faults

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import java.io.DataInputStream
import java.io.EOFException
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketException
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.tickets.faults.FaultProxy.Fault

@Tag("ports")
class FaultProxyTest {
    /** An echo server. */
    private val database = ServerSocket(0, 10, InetAddress.getLoopbackAddress())
    private val proxy = FaultProxy(database.localPort, ::EchoProtocol)

    /** The response "commit" stands for a commit. */
    private class EchoProtocol : WireProtocol {
        override fun onRequest(bytes: ByteArray, length: Int) = setOf(ProtocolStep.REQUESTED)

        override fun onResponse(bytes: ByteArray, length: Int) =
            if (String(bytes, 0, length) == "commit") setOf(ProtocolStep.COMMITTED) else emptySet()
    }

    private val acceptor = Thread.ofVirtual().start {
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
            it.getOutputStream().write(bytes, 0, length)
        }
    }

    @AfterEach
    fun stop() {
        proxy.close()
        database.close()
    }

    @Test
    fun `without a planned fault nothing is cut`() = connected { send ->
        send("hello") shouldBe "hello"
        send("commit") shouldBe "commit"
        proxy.done shouldBe emptyMap()
    }

    @Test
    fun `the response to a commit is dropped once`() {
        proxy.cut(ProtocolStep.COMMITTED)
        connected { send ->
            send("hello") shouldBe "hello"
            shouldBeCut { send("commit") }
        }
        connected { send -> send("commit") shouldBe "commit" }
        proxy.done shouldBe mapOf(ProtocolStep.COMMITTED.description to 1)
    }

    @Test
    fun `a request is dropped once`() {
        proxy.cut(ProtocolStep.REQUESTED)
        connected { send -> shouldBeCut { send("hello") } }
        connected { send -> send("hello") shouldBe "hello" }
        proxy.done shouldBe mapOf(ProtocolStep.REQUESTED.description to 1)
    }

    @Test
    fun `held bytes arrive after the action, and other connections do not wait`() = connected { other ->
        val held = proxy.inject(ProtocolStep.REQUESTED, Fault.HELD_THEN_FORWARDED) {
            other("meanwhile") shouldBe "meanwhile"
        }
        connected { send -> send("hello") shouldBe "hello" }
        held.get(10, TimeUnit.SECONDS)
        proxy.done shouldBe mapOf(ProtocolStep.REQUESTED.description to 1)
    }

    @Test
    fun `a request arrives, but its response does not`() {
        val held = proxy.inject(ProtocolStep.REQUESTED, Fault.FORWARDED_THEN_CUT) {}
        connected { send -> shouldBeCut { send("hello") } }
        held.get(10, TimeUnit.SECONDS)
    }

    @Test
    fun `a failure of the action is reported`() {
        val held = proxy.inject(ProtocolStep.REQUESTED, Fault.DROPPED) { error("nothing to kill") }
        connected { send -> shouldBeCut { send("hello") } }
        shouldThrow<ExecutionException> { held.get(10, TimeUnit.SECONDS) }.cause!!.message shouldBe "nothing to kill"
    }

    @Test
    fun `a connection to a dead database is closed`() {
        database.close()
        // The acceptor may accept one more connection before it ends.
        acceptor.join()
        connected { send -> shouldBeCut { send("hello") } }
    }

    private fun shouldBeCut(request: () -> String) {
        val failed = shouldThrow<IOException> { request() }
        (failed is EOFException || failed is SocketException) shouldBe true
    }

    private fun connected(block: ((String) -> String) -> Unit) =
        Socket(InetAddress.getLoopbackAddress(), proxy.port).use { socket ->
            socket.soTimeout = 10_000
            val input = DataInputStream(socket.getInputStream())
            block { text ->
                socket.getOutputStream().write(text.encodeToByteArray())
                String(ByteArray(text.length).also(input::readFully))
            }
        }
}
