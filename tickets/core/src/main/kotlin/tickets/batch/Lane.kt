package threadgauge.tickets.batch

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.Books
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.Patience
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Everybody who asks for seats of one event, in one service: a queue for the writer, and one for the reader. */
internal class Lane(
    private val event: EventId,
    private val ledger: Ledger,
    scope: CoroutineScope,
    private val settings: BatchSettings,
    private val watcher: BatchWatcher,
    private val clock: TimeSource,
) {
    private val toWrite = WaitingQueue(settings.queueMost)
    private val toRead = WaitingQueue(settings.queueMost)
    private val patience = Patience(settings.patience, settings.firstPause, scope, clock)

    /** Seats that were left when the ledger was last asked. A hint for the way to take, never an answer. Both jobs write it. */
    @Volatile
    private var lastRemaining = Int.MAX_VALUE

    /** Of the last batch. Written by the writer alone. */
    @Volatile
    private var nanosForEach = 0L

    private val writer = scope.launch { serve(toWrite, ::write) }
    private val reader = scope.launch { serve(toRead, ::read) }

    /** Asks that are in neither job's hands. */
    val waiting: Int get() = toWrite.size + toRead.size

    suspend fun reserve(ask: Ask): Answer {
        val waiting = Waiting(ask, clock.markNow())
        val queue = if (ask.seats.count > lastRemaining) toRead else toWrite
        return if (queue.add(waiting)) waiting.answer() else busy()
    }

    /** Nothing more is taken. The jobs end when everybody has an answer. */
    fun close(): List<Job> {
        // The reader first: it may still hand asks over to the writer.
        toRead.close()
        reader.invokeOnCompletion { toWrite.close() }
        return listOf(reader, writer)
    }

    /** [answer] takes whom it hands over to somebody else out of the list. */
    private suspend fun serve(queue: WaitingQueue, answer: suspend (MutableList<Waiting>) -> Unit) = try {
        while (true) {
            val batch = queue.next(settings.batchMost)?.filterTo(ArrayList(), ::isInTime) ?: break
            try {
                if (batch.isNotEmpty()) answer(batch)
            } finally {
                // Only those who have no answer yet, because the job was cancelled or the ledger is at a loss.
                batch.forEach { it.tell(Answer.Unknown) }
            }
        }
    } finally {
        queue.abandon().forEach { it.tell(busy()) }
    }

    /** Who has gone wants nothing any more, and who has waited for too long is told so before anything is done for him. */
    private fun isInTime(waiting: Waiting): Boolean {
        if (waiting.hasGone) return false
        if (waiting.since.elapsedNow() < settings.patience) return true
        waiting.tell(busy())
        return false
    }

    private suspend fun write(batch: List<Waiting>) {
        val began = clock.markNow()
        val answers = patiently {
            ledger.grant(event, batch.map { it.ask }).also { check(it.size == batch.size) { "${it.size} answers to ${batch.size} asks" } }
        } ?: return
        val took = began.elapsedNow()
        nanosForEach = took.inWholeNanoseconds / batch.size
        answers.forEach { if (it is Answer.TooFewSeats) lastRemaining = it.remaining }
        batch.forEachIndexed { index, waiting -> waiting.tell(answers[index]) }
        watcher.granted(event, batch.size, took)
    }

    /** Only who could be granted seats goes on to the writer; all others have their answer from the books. */
    private suspend fun read(batch: MutableList<Waiting>) {
        val began = clock.markNow()
        val looked = patiently { Looked(ledger.look(event, batch.map { it.ask })) } ?: return
        val books = looked.books ?: return batch.forEach { it.tell(Answer.NoSuchEvent) }
        lastRemaining = books.remaining
        watcher.looked(event, batch.size, began.elapsedNow())
        batch.removeIf { waiting ->
            val answer = books.answer(waiting.ask)
            // Who has waited for long by now would wait once more behind the writer's batch.
            if (answer != null) waiting.tell(answer) else if (isInTime(waiting) && !toWrite.add(waiting)) waiting.tell(busy())
            answer == null
        }
    }

    private suspend fun <T : Any> patiently(call: suspend () -> T): T? = patience.with({ watcher.failed(event, it) }, call = call)

    private fun busy(): Answer {
        watcher.refused(event)
        val wait = (nanosForEach * toWrite.size).nanoseconds.inWholeSeconds.seconds + 1.seconds
        return Answer.Busy(maxOf(settings.retryAfterLeast, wait))
    }

    private class Looked(val books: Books?)
}
