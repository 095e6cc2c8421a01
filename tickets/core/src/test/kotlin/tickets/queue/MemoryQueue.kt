package threadgauge.tickets.queue

import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeoutOrNull
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.sale.MemoryLost
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A queue in this process for one service. What was taken and is not done comes out again when [handOutAgain] is called. */
class MemoryQueue : SharedQueue {
    private val channel = Channel<Queued>(Channel.UNLIMITED)
    private val open = LinkedHashMap<String, Queued>()
    private var hear: (Long, Answer) -> Unit = { _, _ -> }
    private var puts = 0
    val taken = ArrayList<Int>()
    var isLost = false

    /** Thrown once by the next call. */
    var failure: Exception? = null

    /** How many of the answers to come are told to nobody, as when the service dies that should tell them. */
    var dropped = 0

    override fun listen(hear: (Long, Answer) -> Unit) {
        this.hear = hear
    }

    override suspend fun put(number: Long, ask: Ask, most: Int): Boolean {
        reach()
        if (open.size >= most) return false
        val queued = Queued("entry-${puts++}", "self", number, ask)
        open[queued.handle] = queued
        channel.send(queued)
        return true
    }

    override suspend fun take(most: Int): List<Queued> {
        reach()
        val first = withTimeoutOrNull(1.seconds) { channel.receive() } ?: return emptyList()
        val batch = arrayListOf(first)
        while (batch.size < most) batch += channel.tryReceive().getOrNull() ?: break
        taken += batch.size
        return batch
    }

    override suspend fun done(answers: Map<Queued, Answer>) {
        reach()
        for ((queued, answer) in answers) {
            if (dropped > 0) {
                dropped--
                continue
            }
            hear(queued.number, answer)
            open.remove(queued.handle)
        }
    }

    fun handOutAgain(waited: Duration = Duration.ZERO, isOfEarlierLife: Boolean = false) =
        open.values.forEach { channel.trySend(it.copy(waited = waited, isOfEarlierLife = isOfEarlierLife)) }

    private fun reach() {
        failure?.let { failure = null; throw it }
        if (isLost) throw MemoryLost(IOException("connection refused"))
    }
}
