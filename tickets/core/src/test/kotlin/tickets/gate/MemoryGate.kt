package threadgauge.tickets.gate

import kotlinx.coroutines.yield
import threadgauge.tickets.published.SharedCount
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.MemoryLost
import java.io.IOException

/** A gate and a count in this process. Callers who are at it at a time take turns wherever a network would let them. */
class MemoryGate : Gate, SharedCount {
    val counts = HashMap<EventId, Int>()
    var isLost = false
    var letIn = 0

    override suspend fun enter(event: EventId, seats: Int): Entry {
        travel()
        val left = counts[event] ?: return Entry.NOT_KNOWN
        if (left < seats) return Entry.TOO_FEW
        counts[event] = left - seats
        letIn++
        return Entry.IN
    }

    override suspend fun giveBack(event: EventId, seats: Int) {
        travel()
        counts.computeIfPresent(event) { _, left -> left + seats }
    }

    override suspend fun correct(event: EventId, remaining: Int) {
        travel()
        counts[event] = remaining
    }

    override suspend fun read(event: EventId): Int? {
        travel()
        return counts[event]
    }

    override suspend fun write(event: EventId, remaining: Int) {
        travel()
        counts[event] = remaining
    }

    private suspend fun travel() {
        yield()
        if (isLost) throw MemoryLost(IOException("connection refused"))
    }
}
