package threadgauge.tickets.faults

import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference

/**
 * Stands between the services and the database at [databasePort] of this machine, and cuts a connection in the worst moment when it is told
 * to: when the database has committed and says so, or when a request is on its way. Whoever was connected then cannot know what was done.
 * Safe for any thread.
 */
internal class Proxy(private val databasePort: Int) : AutoCloseable {
    /** The moment of the next cut; null where none is due. */
    private val due = AtomicReference<Moment?>()
    private val open = ConcurrentHashMap.newKeySet<Socket>()
    private val counts = Moment.entries.associateWith { AtomicInteger() }
    private val server = ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())

    val port: Int get() = server.localPort

    /** What has been cut so far, by its name. */
    val done: Map<String, Int> get() = counts.entries.associate { it.key.words to it.value.get() }.filterValues { it > 0 }

    enum class Moment(val words: String) {
        /** The transaction is in the books, and nobody hears of it. */
        COMMITTED("connections cut after a commit"),

        /** The request never arrives. */
        ASKED("connections cut before a request"),
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
    fun cut(moment: Moment) = due.set(moment)

    private fun join(client: Socket) {
        open += client
        val database = try {
            Socket(InetAddress.getLoopbackAddress(), databasePort).also(open::add)
        } catch (failed: IOException) {
            end(client)
            throw failed
        }
        listOf(client, database).forEach { it.tcpNoDelay = true }
        fun end() = listOf(client, database).forEach(::end)
        Thread.ofVirtual().start { pass(client, database, ::end) { _, _ -> Moment.ASKED } }
        Thread.ofVirtual().start {
            pass(database, client, ::end) { bytes, length -> Moment.COMMITTED.takeIf { bytes.tellOfCommit(length) } }
        }
    }

    private fun pass(from: Socket, to: Socket, end: () -> Unit, momentOf: (ByteArray, Int) -> Moment?) {
        val bytes = ByteArray(BUFFER_BYTES)
        try {
            while (true) {
                val length = from.getInputStream().read(bytes)
                if (length < 0) break
                val moment = momentOf(bytes, length)
                if (moment != null && due.compareAndSet(moment, null)) {
                    counts.getValue(moment).incrementAndGet()
                    break
                }
                to.getOutputStream().write(bytes, 0, length)
            }
        } catch (_: IOException) {
            // One side has gone, and so the other must.
        } finally {
            end()
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

/**
 * The database says "command complete" with the tag COMMIT: the byte `C`, a length of four bytes, the tag, and a zero (PostgreSQL manual,
 * chapter 54.7 of version 17).
 */
private fun ByteArray.tellOfCommit(length: Int): Boolean =
    (0..length - COMMITTED.size).any { at -> COMMITTED.indices.all { this[at + it] == COMMITTED[it] } }

private val COMMITTED = byteArrayOf('C'.code.toByte(), 0, 0, 0, 11) + "COMMIT".encodeToByteArray() + 0
