package threadgauge.tickets.gate

import threadgauge.tickets.rules.EventId

/**
 * A count of seats in a fast store that several services share. It rejects most requests that come too late before they
 * reach the ledger. It is never the source of truth: it may be lost, restored from an older state, or be wrong in
 * either direction. Each call is atomic.
 */
interface SeatGate {
    /** Subtracts [seats] from the count if it is large enough. */
    suspend fun enter(event: EventId, seats: Int): GateDecision

    /** Adds [seats] that were subtracted and not sold. Does nothing if the gate does not know the event. */
    suspend fun giveBack(event: EventId, seats: Int)

    /** Sets the count to that of the ledger, replacing any other. */
    suspend fun correct(event: EventId, remaining: Int)
}

/** Answer of a [SeatGate]. Services exchange these names, so they must not change. */
enum class GateDecision { IN, TOO_FEW, NOT_KNOWN }
