package threadgauge.tickets.sale

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.EventId

/**
 * The books of all sales, and the only truth: what is not in here was not sold. Any number of services may use the same ledger at a time.
 *
 * Every call may fail with an exception where the store cannot be reached. Then what it should have done may have happened or not;
 * to do it again is safe, because a known key is granted nothing new.
 */
interface Ledger {
    /**
     * Grants the [requests], all for [event], in their order and as one: when it returns, all of it is durable. One answer for each ask, none
     * of which is [Answer.Busy] or [Answer.Unknown].
     */
    suspend fun grant(event: EventId, requests: List<SeatRequest>): List<Answer>

    /** The books as they were at one moment after the call, with the reservations that have the keys of [requests]; null without that event. */
    suspend fun read(event: EventId, requests: List<SeatRequest>): LedgerView?
}

/** A way to sell: what stands between many callers at a time and the [Ledger]. */
interface Strategy {
    /** May be called by any number of callers at a time. A caller who is cancelled may have been granted seats all the same. */
    suspend fun reserve(request: SeatRequest): Answer

    /** Asks of this service that wait for their turn now. Any thread may look. */
    val waiting: Int

    /** No new asks are taken; returns when all that wait have their answers. */
    suspend fun drain()
}
