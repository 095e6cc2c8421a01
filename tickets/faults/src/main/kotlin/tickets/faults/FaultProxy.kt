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
 * A TCP proxy before the server at [upstreamPort] of this machine. It follows the [WireProtocol] of each connection,
 * and injects a fault at a given step: it cuts the connection, or holds its bytes while an action affects either side.
 * Thread-safe.
 */
internal class FaultProxy(private val upstreamPort: Int, private val newProtocol: () -> WireProtocol) : AutoCloseable {
    /** The next fault; null if there is none. */
    private val planned = AtomicReference<PlannedFault?>()
    private val open = ConcurrentHashMap.newKeySet<Socket>()
    private val counts = ProtocolStep.entries.associateWith { AtomicInteger() }
    private val server = ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())

    val port: Int get() = server.localPort

    /** Number of faults so far, by the description of their step. */
    val done: Map<String, Int>
        get() = counts.entries.associate { it.key.description to it.value.get() }.filterValues { it > 0 }

    /** What happens to the bytes of a step, and to their connection. */
    enum class Fault {
        /** The bytes are held, then dropped, and the connection is cut. */
        DROPPED,

        /** The bytes are forwarded, then the connection is held and cut. Nothing comes back on it meanwhile. */
        FORWARDED_THEN_CUT,

        /** The bytes are held, then forwarded. The connection survives. */
        HELD_THEN_FORWARDED,
    }

    private class PlannedFault(val step: ProtocolStep, val fault: Fault, val act: () -> Unit) {
        val done = CompletableFuture<Unit>()
    }

    init {
        Thread.ofVirtual().start {
            while (!server.isClosed) {
                try {
                    connect(server.accept())
                } catch (_: IOException) {
                    // The proxy is closed; or the upstream is down, and the client's connection was closed.
                }
            }
        }
    }

    /** Cuts the next connection that reaches this [step]. */
    fun cut(step: ProtocolStep) {
        inject(step, Fault.DROPPED) {}
    }

    /**
     * Holds the next connection that reaches this [step] while [act] runs on a thread of the proxy; all others go on.
     * The returned future completes with [act], and fails if it throws. Replaces a planned fault that has not happened
     * yet.
     */
    fun inject(step: ProtocolStep, fault: Fault, act: () -> Unit): CompletableFuture<Unit> =
        PlannedFault(step, fault, act).also(planned::set).done

    private fun connect(client: Socket) {
        open += client
        val upstream = try {
            Socket(InetAddress.getLoopbackAddress(), upstreamPort).also(open::add)
        } catch (failed: IOException) {
            close(client)
            throw failed
        }
        listOf(client, upstream).forEach { it.tcpNoDelay = true }
        val pair = Pair(client, upstream)
        val protocol = newProtocol()
        Thread.ofVirtual().start { forward(client, upstream, pair, protocol::onRequest) }
        Thread.ofVirtual().start { forward(upstream, client, pair, protocol::onResponse) }
    }

    /** Both sides of a connection. */
    private inner class Pair(private val client: Socket, private val upstream: Socket) {
        /** Set before the last bytes are forwarded, so that it is seen by whoever forwards an answer to them. */
        @Volatile
        var isCut = false

        fun close() = listOf(client, upstream).forEach { close(it) }
    }

    private fun forward(from: Socket, to: Socket, pair: Pair, stepsOf: (ByteArray, Int) -> Set<ProtocolStep>) {
        val bytes = ByteArray(BUFFER_BYTES)
        try {
            while (true) {
                val length = from.getInputStream().read(bytes)
                if (length < 0) break
                if (pair.isCut) continue
                val fault = takePlanned(stepsOf(bytes, length))
                fun write() = to.getOutputStream().write(bytes, 0, length)
                when (fault?.fault) {
                    null -> write()
                    Fault.HELD_THEN_FORWARDED -> execute(fault).also { write() }
                    Fault.FORWARDED_THEN_CUT -> {
                        pair.isCut = true
                        write()
                        execute(fault)
                        break
                    }
                    Fault.DROPPED -> {
                        execute(fault)
                        break
                    }
                }
            }
        } catch (_: IOException) {
            // One side has closed its connection, so the other is closed as well.
        } finally {
            pair.close()
        }
    }

    private fun takePlanned(steps: Set<ProtocolStep>): PlannedFault? =
        planned.get()?.takeIf { it.step in steps && planned.compareAndSet(it, null) }

    private fun execute(fault: PlannedFault) {
        counts.getValue(fault.step).incrementAndGet()
        try {
            fault.act()
            fault.done.complete(Unit)
        } catch (failed: Throwable) {
            fault.done.completeExceptionally(failed)
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
