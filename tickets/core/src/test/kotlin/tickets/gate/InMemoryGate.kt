package threadgauge.tickets.gate

import java.io.IOException
import kotlinx.coroutines.yield
import threadgauge.tickets.published.SharedCount
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.SharedStoreUnavailable

/** A gate and a count in this process. Concurrent calls interleave at each point where a network call would. */
class InMemoryGate : SeatGate, SharedCount {
    val counts = HashMap<EventId, Int>()
    var isLost = false

    override suspend fun enter(event: EventId, seats: Int): GateDecision {
        networkCall()
        val left = counts[event] ?: return GateDecision.NOT_KNOWN
        if (left < seats) return GateDecision.TOO_FEW
        counts[event] = left - seats
        return GateDecision.IN
    }

    override suspend fun giveBack(event: EventId, seats: Int) {
        networkCall()
        counts.computeIfPresent(event) { _, left -> left + seats }
    }

    override suspend fun correct(event: EventId, remaining: Int) {
        networkCall()
        counts[event] = remaining
    }

    override suspend fun read(event: EventId): Int? {
        networkCall()
        return counts[event]
    }

    override suspend fun write(event: EventId, remaining: Int) {
        networkCall()
        counts[event] = remaining
    }

    private suspend fun networkCall() {
        yield()
        if (isLost) throw SharedStoreUnavailable(IOException("connection refused"))
    }
}
