package threadgauge.tickets.gate

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.SharedStoreUnavailable

/**
 * A [gate] before the books: who is let in is granted seats by the [ledger], which looks again and has the last word. A refusal by the gate
 * alone is never told: its count may be too low, because somebody whom it let in was not granted, gave his seats back or let his hold run
 * out. So the books are read, without a lock; where they have seats, the gate is corrected.
 *
 * A count that is too high costs a transaction in vain; one that is too low costs a look at the books. Neither sells a seat twice.
 */
class GatedSale(private val gate: SeatGate, private val ledger: Ledger) {
    suspend fun sell(request: SeatRequest): Answer {
        val decision = enter(request)
        if (decision == GateDecision.TOO_FEW || decision == GateDecision.NOT_KNOWN) {
            val books = ledger.read(request.event, listOf(request)) ?: return Answer.NoSuchEvent
            val answer = books.answer(request)
            if (answer != null) return answer
            // Less what is sold next: it may be granted or not, and this is a hint.
            correct(request.event, books.remaining - request.seats.count)
        }
        val answer = ledger.grant(request.event, listOf(request)).single()
        when {
            answer is Answer.TooFewSeats -> correct(request.event, answer.remaining)
            decision == GateDecision.IN && (answer !is Answer.Granted || answer.isRepeat) -> giveBack(request)
        }
        return answer
    }

    /** Without its gate the sale is slow and as right as before. */
    private suspend fun enter(request: SeatRequest): GateDecision? = orNull { gate.enter(request.event, request.seats.count) }

    private suspend fun giveBack(request: SeatRequest) {
        orNull { gate.giveBack(request.event, request.seats.count) }
    }

    private suspend fun correct(event: EventId, remaining: Int) {
        orNull { gate.correct(event, remaining) }
    }

    private suspend fun <T : Any> orNull(call: suspend () -> T): T? = try {
        call()
    } catch (_: SharedStoreUnavailable) {
        null
    }
}
