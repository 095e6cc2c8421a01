package threadgauge.tickets.published

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Ledger

/**
 * The published sale made sound in the obvious way: the same steps within a lock that all services share, one request
 * at a time. A lock with a lease may be lost without notice, so the [ledger] checks again when it grants, and decides.
 * If the count has too few seats, the request is only rejected after a read of the ledger.
 */
class LockedSale(private val lock: SharedLock, private val count: SharedCount, private val ledger: Ledger) {
    suspend fun sell(request: SeatRequest): Answer = lock.withLock(request.event) {
        val counted = count.read(request.event)
        if (counted == null || request.seats.count > counted) {
            val view = ledger.read(request.event, listOf(request)) ?: return@withLock Answer.NoSuchEvent
            count.write(request.event, view.remaining)
            view.answer(request)?.let { return@withLock it }
        }
        val answer = ledger.grant(request.event, listOf(request)).single()
        when {
            answer is Answer.TooFewSeats -> count.write(request.event, answer.remaining)
            answer is Answer.Granted && !answer.isRepeat ->
                count.read(request.event)?.let { count.write(request.event, it - request.seats.count) }
        }
        answer
    }
}
