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
 * Stands between those who ask and whoever answers at [answeringPort] of this machine, knows from their [Talk] what goes on, and does the
 * worst at the worst moment when it is told to: it cuts a connection, or holds its bytes while something is done to either side. Safe for
 * any thread.
 */
internal class Proxy(private val answeringPort: Int, private val listen: () -> Talk) : AutoCloseable {
    /** What is to be done next; null where nothing is. */
    private val due = AtomicReference<Due?>()
    private val open = ConcurrentHashMap.newKeySet<Socket>()
    private val counts = Moment.entries.associateWith { AtomicInteger() }
    private val server = ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())

    val port: Int get() = server.localPort

    /** What has been cut so far, by its name. */
    val done: Map<String, Int> get() = counts.entries.associate { it.key.words to it.value.get() }.filterValues { it > 0 }

    /** What becomes of the bytes of a moment. */
    enum class Fate {
        /** They are held, then they are gone, and their connection with them. */
        LOST,

        /** They arrive, then their connection is held, and is cut. */
        PASSED_FIRST,

        /** They are held, and arrive afterwards as if nothing had been. */
        PASSED_AFTERWARDS,
    }

    private class Due(val moment: Moment, val fate: Fate, val act: () -> Unit) {
        val end = CompletableFuture<Unit>()
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

    /** The next connection that comes to this [moment] is cut. */
    fun cut(moment: Moment) {
        at(moment, Fate.LOST) {}
    }

    /**
     * When the next connection comes to this [moment], it is held while [act] runs, on a thread of the proxy's; all others go on. What is
     * given back ends with [act], and fails with it. It takes the place of what was due before.
     */
    fun at(moment: Moment, fate: Fate, act: () -> Unit): CompletableFuture<Unit> = Due(moment, fate, act).also(due::set).end

    private fun join(client: Socket) {
        open += client
        val answering = try {
            Socket(InetAddress.getLoopbackAddress(), answeringPort).also(open::add)
        } catch (failed: IOException) {
            end(client)
            throw failed
        }
        listOf(client, answering).forEach { it.tcpNoDelay = true }
        fun end() = listOf(client, answering).forEach(::end)
        val talk = listen()
        Thread.ofVirtual().start { pass(client, answering, ::end, talk::asked) }
        Thread.ofVirtual().start { pass(answering, client, ::end, talk::answered) }
    }

    private fun pass(from: Socket, to: Socket, end: () -> Unit, momentsOf: (ByteArray, Int) -> Set<Moment>) {
        val bytes = ByteArray(BUFFER_BYTES)
        try {
            while (true) {
                val length = from.getInputStream().read(bytes)
                if (length < 0) break
                val due = takeDue(momentsOf(bytes, length))
                fun passOn() = to.getOutputStream().write(bytes, 0, length)
                when (due?.fate) {
                    null -> passOn()
                    Fate.PASSED_AFTERWARDS -> carryOut(due).also { passOn() }
                    Fate.PASSED_FIRST -> {
                        passOn()
                        carryOut(due)
                        break
                    }
                    Fate.LOST -> {
                        carryOut(due)
                        break
                    }
                }
            }
        } catch (_: IOException) {
            // One side has gone, and so the other must.
        } finally {
            end()
        }
    }

    private fun takeDue(moments: Set<Moment>): Due? = due.get()?.takeIf { it.moment in moments && due.compareAndSet(it, null) }

    private fun carryOut(due: Due) {
        counts.getValue(due.moment).incrementAndGet()
        try {
            due.act()
            due.end.complete(Unit)
        } catch (failed: Throwable) {
            due.end.completeExceptionally(failed)
        }
    }

    private fun end(socket: Socket) {
        open -= socket
        runCatching { socket.close() }
    }

    override fun close() {
        server.close()
        open.toList().forEach(::end)
    }

    private companion object {
        const val BACKLOG = 200
        const val BUFFER_BYTES = 1 shl 16
    }
}
