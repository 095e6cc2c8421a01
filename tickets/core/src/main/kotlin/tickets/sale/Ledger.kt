package threadgauge.tickets.sale

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.SeatRequest

/**
 * The single source of truth of all sales: a seat that is not in the ledger was not sold. Several services may use one
 * ledger at the same time.
 *
 * Each call may fail with an exception if the store cannot be reached; whether it took effect is then unknown. A retry
 * is safe, because a known key is granted nothing new.
 */
interface Ledger {
    /**
     * Grants the [requests], all for [event], in their order and in one transaction. When it returns, all of it is
     * durable. Returns one answer for each request, never [Answer.Busy] or [Answer.Unknown].
     */
    suspend fun grant(event: EventId, requests: List<SeatRequest>): List<Answer>

    /**
     * A consistent view taken after the call: the seats that remain, and the reservations of the keys of [requests].
     * Null if there is no such event.
     */
    suspend fun read(event: EventId, requests: List<SeatRequest>): LedgerView?
}

/** A way to sell: passes the requests of many concurrent callers to the [Ledger]. */
interface Strategy {
    /** Any number of concurrent calls. A cancelled call may still have been granted seats. */
    suspend fun reserve(request: SeatRequest): Answer

    /** Requests to this service that wait now. Any thread may read it. */
    val waiting: Int

    /** Accepts no new requests; returns when all that wait have their answers. */
    suspend fun drain()
}
