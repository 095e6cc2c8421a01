package threadgauge.tickets.gate

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.MemoryLost

/**
 * A [gate] before the books: who is let in is granted seats by the [ledger], which looks again and has the last word. A refusal by the gate
 * alone is never told: its count may be too low, because somebody whom it let in was not granted, gave his seats back or let his hold run
 * out. So the books are read, without a lock; where they have seats, the gate is corrected.
 *
 * A count that is too high costs a transaction in vain; one that is too low costs a look at the books. Neither sells a seat twice.
 */
class GatedSale(private val gate: Gate, private val ledger: Ledger) {
    suspend fun sell(ask: Ask): Answer {
        val entry = enter(ask)
        if (entry == Entry.TOO_FEW || entry == Entry.NOT_KNOWN) {
            val books = ledger.look(ask.event, listOf(ask)) ?: return Answer.NoSuchEvent
            val answer = books.answer(ask)
            if (answer != null) return answer
            // Less what is sold next: it may be granted or not, and this is a hint.
            correct(ask.event, books.remaining - ask.seats.count)
        }
        val answer = ledger.grant(ask.event, listOf(ask)).single()
        when {
            answer is Answer.TooFewSeats -> correct(ask.event, answer.remaining)
            entry == Entry.IN && (answer !is Answer.Granted || answer.isRepeat) -> giveBack(ask)
        }
        return answer
    }

    /** Without its gate the sale is slow and as right as before. */
    private suspend fun enter(ask: Ask): Entry? = orNull { gate.enter(ask.event, ask.seats.count) }

    private suspend fun giveBack(ask: Ask) {
        orNull { gate.giveBack(ask.event, ask.seats.count) }
    }

    private suspend fun correct(event: EventId, remaining: Int) {
        orNull { gate.correct(event, remaining) }
    }

    private suspend fun <T : Any> orNull(call: suspend () -> T): T? = try {
        call()
    } catch (_: MemoryLost) {
        null
    }
}
