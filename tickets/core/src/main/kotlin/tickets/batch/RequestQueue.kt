package threadgauge.tickets.batch

import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.TimeMark
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.getOrElse
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest

/** A queued request and its future answer. */
internal class PendingRequest(val request: SeatRequest, val since: TimeMark) {
    private val deferred = CompletableDeferred<Answer>()

    /** Set by the caller; read by the batcher before it does any work. */
    @Volatile
    var isCancelled = false
        private set

    suspend fun await(): Answer = try {
        deferred.await()
    } catch (cancelled: CancellationException) {
        isCancelled = true
        throw cancelled
    }

    /** Only the first answer counts. */
    fun complete(answer: Answer) {
        deferred.complete(answer)
    }
}

/** A queue of requests, first in, first out, with a limit of [capacity]. Any number of threads add, one takes. */
internal class RequestQueue(capacity: Int) {
    /**
     * A request that was taken by a coroutine which is cancelled at that moment is in no batch, and is answered here.
     */
    private val channel = Channel<PendingRequest>(capacity, onUndeliveredElement = { it.complete(Answer.Unknown) })
    private val count = AtomicInteger()

    val size: Int get() = count.get()

    /** False if the queue is full or closed. */
    fun add(pending: PendingRequest): Boolean {
        // Counted before it can be taken, so that the size is never negative.
        count.incrementAndGet()
        val added = channel.trySend(pending).isSuccess
        if (!added) count.decrementAndGet()
        return added
    }

    /**
     * Waits for one request, then takes up to [maxSize] that are there by then. Null if the queue is closed and empty.
     */
    suspend fun nextBatch(maxSize: Int): List<PendingRequest>? {
        val batch = ArrayList<PendingRequest>()
        batch += channel.receiveCatching().getOrElse { return null }
        while (batch.size < maxSize) batch += channel.tryReceive().getOrNull() ?: break
        count.addAndGet(-batch.size)
        return batch
    }

    fun close() {
        channel.close()
    }

    /** Closes the queue and returns the requests still in it. */
    fun closeAndDrain(): List<PendingRequest> {
        channel.close()
        return generateSequence { channel.tryReceive().getOrNull() }.toList().also { count.addAndGet(-it.size) }
    }
}
