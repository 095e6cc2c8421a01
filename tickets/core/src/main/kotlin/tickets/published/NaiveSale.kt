package threadgauge.tickets.published

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.sale.Ledger

/**
 * The sale as it was published: read the count, compare, write the reservation, write the count less its seats. It oversells as soon as two
 * callers read before either writes, and it is here to be caught at that: whatever is to find overselling must find it here.
 */
class NaiveSale(private val count: SharedCount, private val writer: ReservationWriter, private val ledger: Ledger) {
    suspend fun sell(request: SeatRequest): Answer {
        val remaining = count.read(request.event) ?: ledger.read(request.event, listOf(request))?.remaining ?: return Answer.NoSuchEvent
        if (request.seats.count > remaining) return Answer.TooFewSeats(remaining.coerceAtLeast(0))
        val reservation = writer.write(request)
        count.write(request.event, remaining - request.seats.count)
        return Answer.Granted(reservation, isRepeat = false)
    }
}

/** Writes down reservations without a look at what is left. For [NaiveSale] alone. */
fun interface ReservationWriter {
    /** Gives back the reservation of a key that is known, and writes it where it is not. */
    suspend fun write(request: SeatRequest): Reservation
}
