package threadgauge.tickets.queue

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import kotlin.time.Duration

/**
 * Asks in the order in which they came, in memory that services share, and the way back for the answers. Each ask is handed out at least
 * once: again where whoever took it has died, or was too slow to say that it is done. All calls fail with
 * [threadgauge.tickets.sale.MemoryLost] while the memory cannot be reached; what was in it may be lost then.
 */
interface SharedQueue {
    /** [hear] is told every answer to an ask of this service, on a thread that must not be held up. Called once, before anything else. */
    fun listen(hear: (number: Long, answer: Answer) -> Unit)

    /** [number] is this service's own, and comes back with the answer. False where more than [most] are in the queue already. */
    suspend fun put(number: Long, ask: Ask, most: Int): Boolean

    /** Waits for the first, though for no longer than about a second, then takes up to [most] that are there by then. */
    suspend fun take(most: Int): List<Queued>

    /** From now on these asks are not handed out again; then each of [answers] is told to the service that asked. */
    suspend fun done(answers: Map<Queued, Answer>)
}

/**
 * An ask that was taken from the queue. [handle] names it within the queue, and [from] and [number] name who waits for it; it has [waited]
 * there for so long by the queue's own clock. [isOfEarlierLife]: the memory has ended and come back since it was put there, perhaps as it
 * was some time before, so the ask may have been answered already.
 */
data class Queued(
    val handle: String,
    val from: String,
    val number: Long,
    val ask: Ask,
    val waited: Duration = Duration.ZERO,
    val isOfEarlierLife: Boolean = false,
)
