package threadgauge.tickets.batch

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.getOrElse
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.TimeMark

/** One caller and the answer to come. */
internal class Waiting(val ask: Ask, val since: TimeMark) {
    private val told = CompletableDeferred<Answer>()

    /** Set by the caller; read by the lane before it does anything. */
    @Volatile
    var hasGone = false
        private set

    suspend fun answer(): Answer = try {
        told.await()
    } catch (gone: CancellationException) {
        hasGone = true
        throw gone
    }

    /** The first answer counts. */
    fun tell(answer: Answer) {
        told.complete(answer)
    }
}

/** Callers in the order in which they came, up to [most]. Any number of threads add, one takes. */
internal class WaitingQueue(most: Int) {
    /** Who was taken out by somebody who is cancelled at that moment has gone nowhere, and must be told. */
    private val channel = Channel<Waiting>(most, onUndeliveredElement = { it.tell(Answer.Unknown) })
    private val count = AtomicInteger()

    val size: Int get() = count.get()

    /** False where the queue is full or closed. */
    fun add(waiting: Waiting): Boolean {
        // Counted before it can be taken, so that the size is never below zero.
        count.incrementAndGet()
        val added = channel.trySend(waiting).isSuccess
        if (!added) count.decrementAndGet()
        return added
    }

    /** Waits for the first, then takes up to [most] that are there by then. Null when the queue is closed and empty. */
    suspend fun next(most: Int): List<Waiting>? {
        val batch = ArrayList<Waiting>()
        batch += channel.receiveCatching().getOrElse { return null }
        while (batch.size < most) batch += channel.tryReceive().getOrNull() ?: break
        count.addAndGet(-batch.size)
        return batch
    }

    fun close() {
        channel.close()
    }

    /** Closes the queue and gives back whoever is still in it. */
    fun abandon(): List<Waiting> {
        channel.close()
        return generateSequence { channel.tryReceive().getOrNull() }.toList().also { count.addAndGet(-it.size) }
    }
}
