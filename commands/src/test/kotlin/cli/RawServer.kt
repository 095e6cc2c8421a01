package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.longs.shouldBeInRange
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicLong
import threadgauge.model.Record

/** Answers every request with the bytes that [answer] gives for its number. */
internal class RawServer(private val delayMillis: Long, private val answer: (Long) -> String) : AutoCloseable {
    private val listening = ServerSocket(0, 1_000, InetAddress.getLoopbackAddress())
    private val sockets = CopyOnWriteArrayList<Socket>()
    private val questions = AtomicLong()

    /** Requests that came here so far. */
    val asked: Long get() = questions.get()
    val url = "http://127.0.0.1:${listening.localPort}"

    init {
        Thread.startVirtualThread {
            while (!listening.isClosed) {
                val socket = runCatching { listening.accept() }.getOrNull() ?: break
                sockets += socket
                Thread.startVirtualThread { runCatching { converse(socket) } }
            }
        }
    }

    /** What was sent in the load, and before it, is what came here. */
    fun mustHaveCounted(record: Record) {
        val sent = record.trials.flatMap { it.samples }.sumOf { it.counts.sent }
        withClue("readiness, first answer, its repetition and warm-up, and $sent requests of the load") {
            asked shouldBeInRange sent + BEFORE_THE_LOAD..sent + BEFORE_THE_LOAD + MAX_WARM_UP
        }
    }

    private fun converse(socket: Socket) {
        val input = socket.inputStream.buffered()
        while (true) {
            val head = StringBuilder()
            while (!head.endsWith("\r\n\r\n")) head.append(input.read().also { if (it < 0) return }.toChar())
            val number = questions.getAndIncrement()
            if (delayMillis > 0) Thread.sleep(delayMillis)
            socket.outputStream.write(answer(number).toByteArray(Charsets.ISO_8859_1))
        }
    }

    override fun close() {
        listening.close()
        sockets.forEach { it.close() }
    }

    companion object {
        /** Readiness, the first answer, and its repetition. */
        const val BEFORE_THE_LOAD = 3L

        /** Its stretches ask as often as the load, and each waits for its last answers. */
        private const val MAX_WARM_UP = 300L
    }
}
