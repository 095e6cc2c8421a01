package threadgauge.tickets.queue

import kotlin.time.Duration
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest

/**
 * A queue of requests, first in, first out, in a store that services share, and a channel back for the answers.
 * Delivery is at least once: a request is redelivered if its consumer has died or was too slow to acknowledge it. All
 * calls fail with [threadgauge.tickets.sale.SharedStoreUnavailable] while the store cannot be reached; its content may
 * then be lost.
 */
interface SharedQueue {
    /**
     * [onAnswer] receives each answer to a request of this service, on a thread that it must not block. Called once,
     * before any other call.
     */
    fun subscribe(onAnswer: (number: Long, answer: Answer) -> Unit)

    /**
     * [number] is unique within this service and comes back with the answer. False if [maxQueued] are queued already.
     */
    suspend fun put(number: Long, request: SeatRequest, maxQueued: Int): Boolean

    /** Waits about a second at most for one request, then takes up to [maxBatch] that are there by then. */
    suspend fun take(maxBatch: Int): List<QueuedRequest>

    /** Removes these requests from the queue, then sends each of the [answers] to the service that put the request. */
    suspend fun acknowledge(answers: Map<QueuedRequest, Answer>)
}

/**
 * A request that was taken from the queue. [handle] identifies it within the queue; [sender] and [number] identify the
 * caller that waits for the answer.
 */
data class QueuedRequest(
    val handle: String,
    val sender: String,
    val number: Long,
    val request: SeatRequest,
    /** Time in the queue, by the queue's own clock. */
    val waited: Duration = Duration.ZERO,
    /**
     * The store was restarted since the request was put, perhaps with older data. So the request may have been answered
     * already.
     */
    val isFromBeforeRestart: Boolean = false,
)
