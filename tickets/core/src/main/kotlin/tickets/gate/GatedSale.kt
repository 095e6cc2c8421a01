package threadgauge.tickets.gate

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Ledger
import threadgauge.tickets.sale.SharedStoreUnavailable

/**
 * A [gate] before the [ledger]. The ledger checks again each request that the gate lets in, and decides.
 *
 * A rejection by the gate alone is never sent. Its count may be too low, because a request that it let in was not
 * granted, was released or has expired. So the ledger is read, without a lock; if it has seats, the gate is corrected.
 *
 * A count that is too high costs a useless transaction, one that is too low costs a read of the ledger. Neither sells a
 * seat twice.
 */
class GatedSale(private val gate: SeatGate, private val ledger: Ledger) {
    suspend fun sell(request: SeatRequest): Answer {
        val decision = enter(request)
        if (decision == GateDecision.TOO_FEW || decision == GateDecision.NOT_KNOWN) {
            val view = ledger.read(request.event, listOf(request)) ?: return Answer.NoSuchEvent
            val answer = view.answer(request)
            if (answer != null) return answer
            // Minus the seats requested here. They may not be granted, but the count is only a hint.
            correct(request.event, view.remaining - request.seats.count)
        }
        val answer = ledger.grant(request.event, listOf(request)).single()
        when {
            answer is Answer.TooFewSeats -> correct(request.event, answer.remaining)
            decision == GateDecision.IN && (answer !is Answer.Granted || answer.isRepeat) -> giveBack(request)
        }
        return answer
    }

    /** Null if the gate is down; the sale is then slower, but just as correct. */
    private suspend fun enter(request: SeatRequest): GateDecision? =
        orNull { gate.enter(request.event, request.seats.count) }

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
