package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.grantInOrder

/**
 * Grants the [requests] in their order by the rule of the core itself, between statements that lock and read and statements that write: for a
 * database without a function for it. Five journeys for a whole batch.
 */
internal fun Session.grantByRule(event: EventId, requests: List<SeatRequest>): List<Answer> {
    val before = first("select remaining from event where id = ? and seats = 'A_NUMBER' for update", event.number) { it.getInt(1) }
        ?: return requests.map { Answer.NoSuchEvent }
    val left = before + expire(event, limit = requests.sumOf { it.seats.count.toLong() } - before).seats
    val end = first("select ${dialect.holdEnd} as moment from event e where e.id = ?", event.number) { dialect.instant(it, "moment") }!!
    val keys = requests.map { it.key.text }.distinct()
    val known = all("select ${dialect.reservation} from reservation r where r.idempotency_key (?*)", keys, read = ::reservation)
    val made = ArrayList<Pair<SeatRequest, Reservation>>()
    val answers = grantInOrder(LedgerView(left, known.associateBy { it.key }), requests) { request ->
        Reservation(newReservationId(), event, request.key, request.seats, ReservationState.HELD, end, request.user).also { made += request to it }
    }
    val rows = made.map { (request, new) -> listOf(new.id, event.number, new.key.text, new.seats.count, request.user, end) }
    if (rows.isNotEmpty()) changeAll(INSERT, rows)
    val after = left - made.sumOf { (_, new) -> new.seats.count }
    if (after != before) change("update event set remaining = ? where id = ?", after, event.number)
    return answers
}

private const val INSERT =
    "insert into reservation (id, event, idempotency_key, seats, state, caller, expires_at) values (?, ?, ?, ?, 'HELD', ?, ?)"
