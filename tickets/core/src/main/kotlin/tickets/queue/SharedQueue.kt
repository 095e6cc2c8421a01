package threadgauge.tickets.queue

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import kotlin.time.Duration

/**
 * Asks in the order in which they came, in memory that services share, and the way back for the answers. Each ask is handed out at least
 * once: again where whoever took it has died, or was too slow to say that it is done. All calls fail with
 * [threadgauge.tickets.sale.SharedStoreUnavailable] while the memory cannot be reached; what was in it may be lost then.
 */
interface SharedQueue {
    /** [onAnswer] is told every answer to an ask of this service, on a thread that must not be held up. Called once, before anything else. */
    fun subscribe(onAnswer: (number: Long, answer: Answer) -> Unit)

    /** [number] is this service's own, and comes back with the answer. False where more than [most] are in the queue already. */
    suspend fun put(number: Long, request: SeatRequest, maxQueued: Int): Boolean

    /** Waits for the first, though for no longer than about a second, then takes up to [most] that are there by then. */
    suspend fun take(maxBatch: Int): List<QueuedRequest>

    /** From now on these asks are not handed out again; then each of [answers] is told to the service that asked. */
    suspend fun acknowledge(answers: Map<QueuedRequest, Answer>)
}

/**
 * An ask that was taken from the queue. [handle] names it within the queue, and [sender] and [number] name who waits for it; it has [waited]
 * there for so long by the queue's own clock. [isFromBeforeRestart]: the memory has ended and come back since it was put there, perhaps as it
 * was some time before, so the ask may have been answered already.
 */
data class QueuedRequest(
    val handle: String,
    val sender: String,
    val number: Long,
    val request: SeatRequest,
    val waited: Duration = Duration.ZERO,
    val isFromBeforeRestart: Boolean = false,
)
