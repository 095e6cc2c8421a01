package threadgauge.tickets.faults

import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference

/**
 * Stands between those who ask and whoever answers at [upstreamPort] of this machine, knows from their [WireProtocol] what goes on, and does the
 * worst at the worst moment when it is told to: it cuts a connection, or holds its bytes while something is done to either side. Safe for
 * any thread.
 */
internal class FaultProxy(private val upstreamPort: Int, private val newProtocol: () -> WireProtocol) : AutoCloseable {
    /** What is to be done next; null where nothing is. */
    private val planned = AtomicReference<PlannedFault?>()
    private val open = ConcurrentHashMap.newKeySet<Socket>()
    private val counts = ProtocolStep.entries.associateWith { AtomicInteger() }
    private val server = ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())

    val port: Int get() = server.localPort

    /** What has been cut so far, by its name. */
    val done: Map<String, Int> get() = counts.entries.associate { it.key.words to it.value.get() }.filterValues { it > 0 }

    /** What becomes of the bytes of a moment. */
    enum class Fault {
        /** They are held, then they are gone, and their connection with them. */
        DROPPED,

        /** They arrive, then their connection is held, and is cut. */
        FORWARDED_THEN_CUT,

        /** They are held, and arrive afterwards as if nothing had been. */
        HELD_THEN_FORWARDED,
    }

    private class PlannedFault(val step: ProtocolStep, val fault: Fault, val act: () -> Unit) {
        val close = CompletableFuture<Unit>()
    }

    init {
        Thread.ofVirtual().start {
            while (!server.isClosed) {
                try {
                    join(server.accept())
                } catch (_: IOException) {
                    // Closed; or the database is dead, and who wanted to connect finds that out.
                }
            }
        }
    }

    /** The next connection that comes to this [step] is cut. */
    fun cut(step: ProtocolStep) {
        inject(step, Fault.DROPPED) {}
    }

    /**
     * When the next connection comes to this [step], it is held while [act] runs, on a thread of the proxy's; all others go on. What is
     * given back ends with [act], and fails with it. It takes the place of what was due before.
     */
    fun inject(step: ProtocolStep, fault: Fault, act: () -> Unit): CompletableFuture<Unit> = PlannedFault(step, fault, act).also(planned::set).close

    private fun join(client: Socket) {
        open += client
        val upstream = try {
            Socket(InetAddress.getLoopbackAddress(), upstreamPort).also(open::add)
        } catch (failed: IOException) {
            close(client)
            throw failed
        }
        listOf(client, upstream).forEach { it.tcpNoDelay = true }
        fun close() = listOf(client, upstream).forEach(::close)
        val protocol = newProtocol()
        Thread.ofVirtual().start { pass(client, upstream, ::close, protocol::onRequest) }
        Thread.ofVirtual().start { pass(upstream, client, ::close, protocol::onResponse) }
    }

    private fun pass(from: Socket, to: Socket, close: () -> Unit, stepsOf: (ByteArray, Int) -> Set<ProtocolStep>) {
        val bytes = ByteArray(BUFFER_BYTES)
        try {
            while (true) {
                val length = from.getInputStream().read(bytes)
                if (length < 0) break
                val planned = takePlanned(stepsOf(bytes, length))
                fun passOn() = to.getOutputStream().write(bytes, 0, length)
                when (planned?.fault) {
                    null -> passOn()
                    Fault.HELD_THEN_FORWARDED -> runFault(planned).also { passOn() }
                    Fault.FORWARDED_THEN_CUT -> {
                        passOn()
                        runFault(planned)
                        break
                    }
                    Fault.DROPPED -> {
                        runFault(planned)
                        break
                    }
                }
            }
        } catch (_: IOException) {
            // One side has gone, and so the other must.
        } finally {
            close()
        }
    }

    private fun takePlanned(steps: Set<ProtocolStep>): PlannedFault? = planned.get()?.takeIf { it.step in steps && planned.compareAndSet(it, null) }

    private fun runFault(planned: PlannedFault) {
        counts.getValue(planned.step).incrementAndGet()
        try {
            planned.act()
            planned.close.complete(Unit)
        } catch (failed: Throwable) {
            planned.close.completeExceptionally(failed)
        }
    }

    private fun close(socket: Socket) {
        open -= socket
        runCatching { socket.close() }
    }

    override fun close() {
        server.close()
        open.toList().forEach(::close)
    }

    private companion object {
        const val BACKLOG = 200
        const val BUFFER_BYTES = 1 shl 16
    }
}
