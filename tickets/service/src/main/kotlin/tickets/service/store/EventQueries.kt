package threadgauge.tickets.service.store

import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.Event
import java.sql.ResultSet
import kotlin.time.Duration.Companion.seconds

/**
 * What can be read of events, each in one statement and so of one moment. Nothing is told as the rest of something else: what remains, what
 * is held and what is confirmed are counted each by itself, so that whoever adds them up finds out where the books are wrong. Rehearsals
 * are no events here.
 */
internal class EventQueries(private val dialect: Dialect, private val seats: SeatStorage) {
    fun view(session: Session, event: EventId, requests: List<SeatRequest>): LedgerView? {
        val found = session.all("$readView where e.id = ?", requests.map { it.key.text }, event.number) { row ->
            row.getInt("remaining") to if (row.getObject("id") == null) null else session.reservation(row)
        }
        return found.firstOrNull()?.let { (remaining, _) -> LedgerView(remaining, found.mapNotNull { it.second }.associateBy { it.key }) }
    }

    fun event(session: Session, id: EventId): Event? = session.first("$event where e.id = ? and $ON_SALE", id.number) { it.event() }

    fun newest(session: Session, limit: Int): List<Event> =
        session.all("$event where $ON_SALE order by e.id desc limit ?", limit) { it.event() }

    /** Also, that this store's way of selling may grant its seats. */
    fun isOnSale(session: Session, id: EventId): Boolean =
        session.first("select e.id from event e where e.id = ? and $ON_SALE and e.seats = ?", id.number, seats.column) { true } ?: false

    private fun ResultSet.event() = Event(
        EventId(getLong("id")), getString("name"), getInt("capacity"), getDouble("hold").seconds,
        getInt("remaining"), getInt("held"), getInt("confirmed"),
    )

    private val held = seatsOf("o.state = 'HELD' and o.expires_at > ${dialect.statementTime}")
    private val confirmed = seatsOf("o.state = 'CONFIRMED'")

    /** Holds that are over are for sale, whether somebody has written that down or not. */
    private val over = seatsOf("o.state = 'HELD' and o.expires_at <= ${dialect.statementTime}")
    private val free = "(select count(*) from seat s where s.event = e.id and s.reservation is null)"
    private val remaining = "case e.seats when 'NOT_KEPT' then e.capacity - $held - $confirmed " +
        "when 'ROWS' then $free + $over else e.remaining + $over end"

    private val readView = "select $remaining as remaining, ${dialect.reservation} " +
        "from event e left join reservation r on r.idempotency_key (?*)"

    private val event = "select e.id, e.name, e.capacity, ${dialect.holdSeconds} as hold, " +
        "$remaining as remaining, $held as held, $confirmed as confirmed from event e"

    private fun seatsOf(which: String) = "(select coalesce(sum(o.seats), 0) from reservation o where o.event = e.id and $which)"

    private companion object {
        const val ON_SALE = "e.kind = 'SALE'"
    }
}
