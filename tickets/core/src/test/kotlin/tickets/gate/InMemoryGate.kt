package threadgauge.tickets.gate

import kotlinx.coroutines.yield
import threadgauge.tickets.published.SharedCount
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.SharedStoreUnavailable
import java.io.IOException

/** A gate and a count in this process. Callers who are at it at a time take turns wherever a network would let them. */
class InMemoryGate : SeatGate, SharedCount {
    val counts = HashMap<EventId, Int>()
    var isLost = false
    var letIn = 0

    override suspend fun enter(event: EventId, seats: Int): GateDecision {
        travel()
        val left = counts[event] ?: return GateDecision.NOT_KNOWN
        if (left < seats) return GateDecision.TOO_FEW
        counts[event] = left - seats
        letIn++
        return GateDecision.IN
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
        if (isLost) throw SharedStoreUnavailable(IOException("connection refused"))
    }
}
