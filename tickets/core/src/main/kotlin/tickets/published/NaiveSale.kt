package threadgauge.tickets.published

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Ledger

/**
 * The sale as it was published: read the count, compare, write the reservation, write the new count. It oversells if
 * two requests read before either writes. It is kept as a known bad example: every check for overselling must detect
 * it.
 */
class NaiveSale(private val count: SharedCount, private val writer: ReservationWriter, private val ledger: Ledger) {
    suspend fun sell(request: SeatRequest): Answer {
        val remaining = count.read(request.event)
            ?: ledger.read(request.event, listOf(request))?.remaining
            ?: return Answer.NoSuchEvent
        if (request.seats.count > remaining) return Answer.TooFewSeats(remaining.coerceAtLeast(0))
        val reservation = writer.write(request)
        count.write(request.event, remaining - request.seats.count)
        return Answer.Granted(reservation, isRepeat = false)
    }
}

/** Writes reservations without checking how many seats are left. Only for [NaiveSale]. */
fun interface ReservationWriter {
    /** Returns the existing reservation of a known key, otherwise writes one. */
    suspend fun write(request: SeatRequest): Reservation
}
