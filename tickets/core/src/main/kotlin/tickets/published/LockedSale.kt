package threadgauge.tickets.published

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.sale.Ledger

/**
 * The published sale made sound in the way that comes to mind first: the same steps within a lock that all services share, one caller at a
 * time. A lock with a lease may be lost without notice, so the [ledger] looks again when it grants, and has the last word; a count that
 * says too few is compared with the books before anybody is told so.
 */
class LockedSale(private val lock: SharedLock, private val count: SharedCount, private val ledger: Ledger) {
    suspend fun sell(ask: Ask): Answer = lock.withLock(ask.event) {
        val counted = count.read(ask.event)
        if (counted == null || ask.seats.count > counted) {
            val books = ledger.look(ask.event, listOf(ask)) ?: return@withLock Answer.NoSuchEvent
            count.write(ask.event, books.remaining)
            books.answer(ask)?.let { return@withLock it }
        }
        val answer = ledger.grant(ask.event, listOf(ask)).single()
        when {
            answer is Answer.TooFewSeats -> count.write(ask.event, answer.remaining)
            answer is Answer.Granted && !answer.isRepeat -> count.read(ask.event)?.let { count.write(ask.event, it - ask.seats.count) }
        }
        answer
    }
}
