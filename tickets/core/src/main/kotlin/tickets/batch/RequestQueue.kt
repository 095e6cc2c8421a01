package threadgauge.tickets.batch

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.getOrElse
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.TimeMark

/** One caller and the answer to come. */
internal class PendingRequest(val request: SeatRequest, val since: TimeMark) {
    private val deferred = CompletableDeferred<Answer>()

    /** Set by the caller; read by the lane before it does anything. */
    @Volatile
    var isCancelled = false
        private set

    suspend fun await(): Answer = try {
        deferred.await()
    } catch (cancelled: CancellationException) {
        isCancelled = true
        throw cancelled
    }

    /** The first answer counts. */
    fun complete(answer: Answer) {
        deferred.complete(answer)
    }
}

/** Callers in the order in which they came, up to [most]. Any number of threads add, one takes. */
internal class RequestQueue(capacity: Int) {
    /** Who was taken out by somebody who is cancelled at that moment has gone nowhere, and must be told. */
    private val channel = Channel<PendingRequest>(capacity, onUndeliveredElement = { it.complete(Answer.Unknown) })
    private val count = AtomicInteger()

    val size: Int get() = count.get()

    /** False where the queue is full or closed. */
    fun add(pending: PendingRequest): Boolean {
        // Counted before it can be taken, so that the size is never below zero.
        count.incrementAndGet()
        val added = channel.trySend(pending).isSuccess
        if (!added) count.decrementAndGet()
        return added
    }

    /** Waits for the first, then takes up to [most] that are there by then. Null when the queue is closed and empty. */
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

    /** Closes the queue and gives back whoever is still in it. */
    fun closeAndDrain(): List<PendingRequest> {
        channel.close()
        return generateSequence { channel.tryReceive().getOrNull() }.toList().also { count.addAndGet(-it.size) }
    }
}
