package threadgauge.tickets.published

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.sale.Ledger

/**
 * The sale as it was published: read the count, compare, write the reservation, write the count less its seats. It oversells as soon as two
 * callers read before either writes, and it is here to be caught at that: whatever is to find overselling must find it here.
 */
class NaiveSale(private val count: SharedCount, private val notes: Notes, private val ledger: Ledger) {
    suspend fun sell(ask: Ask): Answer {
        val remaining = count.read(ask.event) ?: ledger.look(ask.event, listOf(ask))?.remaining ?: return Answer.NoSuchEvent
        if (ask.seats.count > remaining) return Answer.TooFewSeats(remaining.coerceAtLeast(0))
        val reservation = notes.write(ask)
        count.write(ask.event, remaining - ask.seats.count)
        return Answer.Granted(reservation, isRepeat = false)
    }
}

/** Writes down reservations without a look at what is left. For [NaiveSale] alone. */
fun interface Notes {
    /** Gives back the reservation of a key that is known, and writes it where it is not. */
    suspend fun write(ask: Ask): Reservation
}
