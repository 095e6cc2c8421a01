package threadgauge.tickets.queue

import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.SharedStoreUnavailable

/** A queue in this process for one service. [redeliver] hands out again all requests that were not acknowledged. */
class InMemoryQueue : SharedQueue {
    private val channel = Channel<QueuedRequest>(Channel.UNLIMITED)
    private val open = LinkedHashMap<String, QueuedRequest>()
    private var onAnswer: (Long, Answer) -> Unit = { _, _ -> }
    private var puts = 0
    val taken = ArrayList<Int>()
    var isLost = false

    /** Thrown once by the next call. */
    var failure: Exception? = null

    /** Number of answers to drop, as when the answering service dies. */
    var dropped = 0

    override fun subscribe(onAnswer: (Long, Answer) -> Unit) {
        this.onAnswer = onAnswer
    }

    override suspend fun put(number: Long, request: SeatRequest, maxQueued: Int): Boolean {
        networkCall()
        if (open.size >= maxQueued) return false
        val queued = QueuedRequest("entry-${puts++}", "self", number, request)
        open[queued.handle] = queued
        channel.send(queued)
        return true
    }

    override suspend fun take(maxBatch: Int): List<QueuedRequest> {
        networkCall()
        val first = withTimeoutOrNull(1.seconds) { channel.receive() } ?: return emptyList()
        val batch = arrayListOf(first)
        while (batch.size < maxBatch) batch += channel.tryReceive().getOrNull() ?: break
        taken += batch.size
        return batch
    }

    override suspend fun acknowledge(answers: Map<QueuedRequest, Answer>) {
        networkCall()
        for ((queued, answer) in answers) {
            if (dropped > 0) {
                dropped--
                continue
            }
            onAnswer(queued.number, answer)
            open.remove(queued.handle)
        }
    }

    fun redeliver(waited: Duration = Duration.ZERO, isFromBeforeRestart: Boolean = false) =
        open.values.forEach { channel.trySend(it.copy(waited = waited, isFromBeforeRestart = isFromBeforeRestart)) }

    private fun networkCall() {
        failure?.let { failure = null; throw it }
        if (isLost) throw SharedStoreUnavailable(IOException("connection refused"))
    }
}
