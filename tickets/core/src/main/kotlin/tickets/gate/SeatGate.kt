package threadgauge.tickets.gate

import threadgauge.tickets.rules.EventId

/**
 * A count of seats in fast memory that several services share, to turn away most of those who come too late before they reach the books.
 * It is never the truth: it may be lost, be set back, or be wrong in either direction. Each call is one step that nobody can interrupt.
 */
interface SeatGate {
    /** Takes [seats] off the count if it is as large as that. */
    suspend fun enter(event: EventId, seats: Int): GateDecision

    /** Adds [seats] again that were taken off and not sold. Does nothing where the gate has forgotten the event. */
    suspend fun giveBack(event: EventId, seats: Int)

    /** Sets the count to what the books say, also over another one. */
    suspend fun correct(event: EventId, remaining: Int)
}

/** What a [SeatGate] says to somebody who wants to enter. */
enum class GateDecision { IN, TOO_FEW, NOT_KNOWN }
