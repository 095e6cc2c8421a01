package threadgauge.tickets.service.store

import java.sql.ResultSet
import kotlin.time.Duration.Companion.seconds
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Event

/**
 * Reads of events, each in one statement, so all its values are from one moment. Remaining, held and confirmed seats
 * are counted separately, never derived from each other. So a client that adds them up can detect an inconsistent
 * ledger. Rehearsals are excluded.
 */
internal class EventQueries(private val dialect: Dialect, private val seats: SeatStorage) {
    fun view(session: Session, event: EventId, requests: List<SeatRequest>): LedgerView? {
        val found = session.all("$readView where e.id = ?", requests.map { it.key.text }, event.number) { row ->
            row.getInt("remaining") to if (row.getObject("id") == null) null else session.reservation(row)
        }
        return found.firstOrNull()?.let { (remaining, _) ->
            LedgerView(remaining, found.mapNotNull { it.second }.associateBy { it.key })
        }
    }

    fun event(session: Session, id: EventId): Event? =
        session.first("$event where e.id = ? and $ON_SALE", id.number) { it.event() }

    fun newest(session: Session, limit: Int): List<Event> =
        session.all("$event where $ON_SALE order by e.id desc limit ?", limit) { it.event() }

    /** Also checks that this store may grant its seats. */
    fun isOnSale(session: Session, id: EventId): Boolean {
        val sql = "select e.id from event e where e.id = ? and $ON_SALE and e.seats = ?"
        return session.first(sql, id.number, seats.column) { true } ?: false
    }

    private fun ResultSet.event() = Event(
        EventId(getLong("id")), getString("name"), getInt("capacity"), getDouble("hold").seconds,
        getInt("remaining"), getInt("held"), getInt("confirmed"),
    )

    private val held = seatsOf("o.state = 'HELD' and o.expires_at > ${dialect.statementTime}")
    private val confirmed = seatsOf("o.state = 'CONFIRMED'")

    /** Expired holds whose state was not updated yet. Their seats are for sale. */
    private val expired = seatsOf("o.state = 'HELD' and o.expires_at <= ${dialect.statementTime}")
    private val free = "(select count(*) from seat s where s.event = e.id and s.reservation is null)"
    private val remaining = "case e.seats when '${SeatStorage.NONE.column}' then e.capacity - $held - $confirmed " +
        "when '${SeatStorage.ROWS.column}' then $free + $expired else e.remaining + $expired end"

    private val readView = "select $remaining as remaining, ${dialect.reservation} " +
        "from event e left join reservation r on r.idempotency_key (?*)"

    private val event = "select e.id, e.name, e.capacity, ${dialect.holdSeconds} as hold, " +
        "$remaining as remaining, $held as held, $confirmed as confirmed from event e"

    private fun seatsOf(condition: String) =
        "(select coalesce(sum(o.seats), 0) from reservation o where o.event = e.id and $condition)"

    private companion object {
        const val ON_SALE = "e.kind = 'SALE'"
    }
}
