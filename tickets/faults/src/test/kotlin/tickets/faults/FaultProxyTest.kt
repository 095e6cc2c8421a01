package threadgauge.tickets.faults

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import threadgauge.tickets.faults.FaultProxy.Fault
import java.io.DataInputStream
import java.io.EOFException
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketException
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit

class FaultProxyTest {
    /** Gives back whatever it is sent. */
    private val database = ServerSocket(0, 10, InetAddress.getLoopbackAddress())
    private val proxy = FaultProxy(database.localPort, ::Words)

    /** Says "commit" where it has committed. */
    private class Words : WireProtocol {
        override fun onRequest(bytes: ByteArray, length: Int) = setOf(ProtocolStep.REQUESTED)

        override fun onResponse(bytes: ByteArray, length: Int) =
            if (String(bytes, 0, length) == "commit") setOf(ProtocolStep.COMMITTED) else emptySet()
    }

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
            it.getOutputStream().write(bytes, 0, length)
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
        ask("commit") shouldBe "commit"
        proxy.done shouldBe emptyMap()
    }

    @Test
    fun `a commit that is done is not told, once`() {
        proxy.cut(ProtocolStep.COMMITTED)
        connected { ask ->
            ask("hello") shouldBe "hello"
            shouldBeCut { ask("commit") }
        }
        connected { ask -> ask("commit") shouldBe "commit" }
        proxy.done shouldBe mapOf(ProtocolStep.COMMITTED.words to 1)
    }

    @Test
    fun `a request is lost on its way, once`() {
        proxy.cut(ProtocolStep.REQUESTED)
        connected { ask -> shouldBeCut { ask("hello") } }
        connected { ask -> ask("hello") shouldBe "hello" }
        proxy.done shouldBe mapOf(ProtocolStep.REQUESTED.words to 1)
    }

    @Test
    fun `bytes that are held arrive when something else has been done, and others do not wait for them`() = connected { other ->
        val held = proxy.inject(ProtocolStep.REQUESTED, Fault.HELD_THEN_FORWARDED) { other("meanwhile") shouldBe "meanwhile" }
        connected { ask -> ask("hello") shouldBe "hello" }
        held.get(10, TimeUnit.SECONDS)
        proxy.done shouldBe mapOf(ProtocolStep.REQUESTED.words to 1)
    }

    @Test
    fun `a request arrives, and its answer does not`() {
        val held = proxy.inject(ProtocolStep.REQUESTED, Fault.FORWARDED_THEN_CUT) {}
        connected { ask -> shouldBeCut { ask("hello") } }
        held.get(10, TimeUnit.SECONDS)
    }

    @Test
    fun `what goes wrong while bytes are held is told to who wanted it`() {
        val held = proxy.inject(ProtocolStep.REQUESTED, Fault.DROPPED) { error("nothing to kill") }
        connected { ask -> shouldBeCut { ask("hello") } }
        shouldThrow<ExecutionException> { held.get(10, TimeUnit.SECONDS) }.cause!!.message shouldBe "nothing to kill"
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
            String(ByteArray(words.length).also(input::readFully))
        }
    }
}
