package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.grantInOrder

/**
 * Grants the [requests] in their order by the rule of the core, between statements that lock and read and statements
 * that write. For databases without a function that does it. Takes five round trips per batch.
 */
internal fun Session.grantByRule(event: EventId, requests: List<SeatRequest>): List<Answer> {
    val lock = "select remaining from event where id = ? and $HAS_COUNTER for update"
    val before = first(lock, event.number) { it.getInt(1) } ?: return requests.map { Answer.NoSuchEvent }
    val remaining = before + expire(event, limit = requests.sumOf { it.seats.count.toLong() } - before).seats
    val end = first("select ${dialect.holdEnd} as moment from event e where e.id = ?", event.number) {
        dialect.instant(it, "moment")
    }!!
    val keys = requests.map { it.key.text }.distinct()
    val findKnown = "select ${dialect.reservation} from reservation r where r.idempotency_key (?*)"
    val known = all(findKnown, keys, read = ::reservation).associateBy { it.key }
    val inserts = ArrayList<Reservation>()
    val answers = grantInOrder(LedgerView(remaining, known), requests) { (_, key, seats, user) ->
        Reservation(newReservationId(), event, key, seats, ReservationState.HELD, end, user).also(inserts::add)
    }
    val rows = inserts.map { listOf(it.id, event.number, it.key.text, it.seats.count, it.user, end) }
    if (rows.isNotEmpty()) changeAll(INSERT, rows)
    val after = remaining - inserts.sumOf { it.seats.count }
    if (after != before) change("update event set remaining = ? where id = ?", after, event.number)
    return answers
}

private const val INSERT = "insert into reservation (id, event, idempotency_key, seats, state, caller, expires_at) " +
    "values (?, ?, ?, ?, 'HELD', ?, ?)"
