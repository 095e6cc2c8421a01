package threadgauge.tickets.batch

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.Retry
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Everybody who asks for seats of one event, in one service: a queue for the writer, and one for the reader. */
internal class EventBatcher(
    private val event: EventId,
    private val ledger: Ledger,
    scope: CoroutineScope,
    private val settings: BatchSettings,
    private val listener: StrategyListener,
    private val clock: TimeSource,
) {
    private val writeQueue = RequestQueue(settings.maxQueued)
    private val readQueue = RequestQueue(settings.maxQueued)
    private val retry = Retry(settings.timeout, settings.initialBackoff, scope, clock)

    /** Seats that were left when the ledger was last asked. A hint for the way to take, never an answer. Both jobs write it. */
    @Volatile
    private var lastRemaining = Int.MAX_VALUE

    /** Of the last batch. Written by the writer alone. */
    @Volatile
    private var nanosForEach = 0L

    private val writer = scope.launch { processQueue(writeQueue, ::write) }
    private val reader = scope.launch { processQueue(readQueue, ::read) }

    /** Asks that are in neither job's hands. */
    val waiting: Int get() = writeQueue.size + readQueue.size

    suspend fun reserve(request: SeatRequest): Answer {
        val waiting = PendingRequest(request, clock.markNow())
        val queue = if (request.seats.count > lastRemaining) readQueue else writeQueue
        return if (queue.add(waiting)) waiting.await() else busy()
    }

    /** Nothing more is taken. The jobs end when everybody has an answer. */
    fun close(): List<Job> {
        // The reader first: it may still hand asks over to the writer.
        readQueue.close()
        reader.invokeOnCompletion { writeQueue.close() }
        return listOf(reader, writer)
    }

    /** [answer] takes whom it hands over to somebody else out of the list. */
    private suspend fun processQueue(queue: RequestQueue, answer: suspend (MutableList<PendingRequest>) -> Unit) = try {
        while (true) {
            val batch = queue.nextBatch(settings.maxBatch)?.filterTo(ArrayList(), ::isInTime) ?: break
            try {
                if (batch.isNotEmpty()) answer(batch)
            } finally {
                // Only those who have no answer yet, because the job was cancelled or the ledger is at a loss.
                batch.forEach { it.complete(Answer.Unknown) }
            }
        }
    } finally {
        queue.closeAndDrain().forEach { it.complete(busy()) }
    }

    /** Who has gone wants nothing any more, and who has waited for too long is told so before anything is done for him. */
    private fun isInTime(waiting: PendingRequest): Boolean {
        if (waiting.isCancelled) return false
        if (waiting.since.elapsedNow() < settings.timeout) return true
        waiting.complete(busy())
        return false
    }

    private suspend fun write(batch: List<PendingRequest>) {
        val began = clock.markNow()
        val answers = withRetry {
            ledger.grant(event, batch.map { it.request }).also { check(it.size == batch.size) { "${it.size} answers to ${batch.size} asks" } }
        } ?: return
        val took = began.elapsedNow()
        nanosForEach = took.inWholeNanoseconds / batch.size
        answers.forEach { if (it is Answer.TooFewSeats) lastRemaining = it.remaining }
        batch.forEachIndexed { index, waiting -> waiting.complete(answers[index]) }
        listener.granted(event, batch.size, took)
    }

    /** Only who could be granted seats goes on to the writer; all others have their answer from the books. */
    private suspend fun read(batch: MutableList<PendingRequest>) {
        val began = clock.markNow()
        val result = withRetry { ReadResult(ledger.read(event, batch.map { it.request })) } ?: return
        val books = result.books ?: return batch.forEach { it.complete(Answer.NoSuchEvent) }
        lastRemaining = books.remaining
        listener.read(event, batch.size, began.elapsedNow())
        batch.removeIf { waiting ->
            val answer = books.answer(waiting.request)
            // Who has waited for long by now would wait once more behind the writer's batch.
            if (answer != null) waiting.complete(answer) else if (isInTime(waiting) && !writeQueue.add(waiting)) waiting.complete(busy())
            answer == null
        }
    }

    private suspend fun <T : Any> withRetry(call: suspend () -> T): T? = retry.execute({ listener.failed(event, it) }, call = call)

    private fun busy(): Answer {
        listener.rejected(event)
        val wait = (nanosForEach * writeQueue.size).nanoseconds.inWholeSeconds.seconds + 1.seconds
        return Answer.Busy(maxOf(settings.minRetryAfter, wait))
    }

    private class ReadResult(val books: LedgerView?)
}
