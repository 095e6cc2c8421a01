package threadgauge.tickets.batch

import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.Retry
import threadgauge.tickets.sale.StrategyListener

/** Batches all requests to one service for seats of one event, with a queue for the writer and one for the reader. */
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

    /**
     * Seats that were left at the last call of the ledger. Only chooses the queue, never an answer. Written by both
     * jobs.
     */
    @Volatile
    private var lastRemaining = Int.MAX_VALUE

    /** Time per request in the last batch. Written by the writer alone. */
    @Volatile
    private var nanosPerRequest = 0L

    private val writer = scope.launch { processQueue(writeQueue, ::write) }
    private val reader = scope.launch { processQueue(readQueue, ::read) }

    /** Requests in the two queues, without those that a job works on. */
    val waiting: Int get() = writeQueue.size + readQueue.size

    suspend fun reserve(request: SeatRequest): Answer {
        val pending = PendingRequest(request, clock.markNow())
        val queue = if (request.seats.count > lastRemaining) readQueue else writeQueue
        return if (queue.add(pending)) pending.await() else busy()
    }

    /** Accepts no new requests. The returned jobs end when all requests have their answers. */
    fun close(): List<Job> {
        // The reader first: it may still pass requests on to the writer.
        readQueue.close()
        reader.invokeOnCompletion { writeQueue.close() }
        return listOf(reader, writer)
    }

    /** [process] removes the requests that it passes on to the other queue from its list. */
    private suspend fun processQueue(
        queue: RequestQueue,
        process: suspend (MutableList<PendingRequest>) -> Unit,
    ) = try {
        while (true) {
            val batch = queue.nextBatch(settings.maxBatch)?.filterTo(ArrayList(), ::isInTime) ?: break
            try {
                if (batch.isNotEmpty()) process(batch)
            } finally {
                // Only reaches requests without an answer: the job was cancelled, or the ledger failed until the
                // timeout.
                batch.forEach { it.complete(Answer.Unknown) }
            }
        }
    } finally {
        queue.closeAndDrain().forEach { it.complete(busy()) }
    }

    /** Drops cancelled requests, and rejects those that waited for longer than the timeout before any work is done. */
    private fun isInTime(pending: PendingRequest): Boolean {
        if (pending.isCancelled) return false
        if (pending.since.elapsedNow() < settings.timeout) return true
        pending.complete(busy())
        return false
    }

    private suspend fun write(batch: List<PendingRequest>) {
        val began = clock.markNow()
        val answers = withRetry {
            ledger.grant(event, batch.map { it.request })
                .also { check(it.size == batch.size) { "${it.size} answers to ${batch.size} requests" } }
        } ?: return
        val took = began.elapsedNow()
        nanosPerRequest = took.inWholeNanoseconds / batch.size
        answers.forEach { if (it is Answer.TooFewSeats) lastRemaining = it.remaining }
        batch.forEachIndexed { index, pending -> pending.complete(answers[index]) }
        listener.granted(event, batch.size, took)
    }

    /** Answers from the ledger's current state. Requests that may be granted seats go on to the writer. */
    private suspend fun read(batch: MutableList<PendingRequest>) {
        val began = clock.markNow()
        val result = withRetry { ReadResult(ledger.read(event, batch.map { it.request })) } ?: return
        val view = result.view ?: return batch.forEach { it.complete(Answer.NoSuchEvent) }
        lastRemaining = view.remaining
        listener.read(event, batch.size, began.elapsedNow())
        batch.removeIf { pending ->
            val answer = view.answer(pending.request)
            // A request that is near its timeout would wait once more, for the writer's current batch.
            when {
                answer != null -> pending.complete(answer)
                isInTime(pending) && !writeQueue.add(pending) -> pending.complete(busy())
            }
            answer == null
        }
    }

    private suspend fun <T : Any> withRetry(call: suspend () -> T): T? =
        retry.execute({ listener.failed(event, it) }, call = call)

    private fun busy(): Answer {
        listener.rejected(event)
        val wait = (nanosPerRequest * writeQueue.size).nanoseconds.inWholeSeconds.seconds + 1.seconds
        return Answer.Busy(maxOf(settings.minRetryAfter, wait))
    }

    private class ReadResult(val view: LedgerView?)
}
