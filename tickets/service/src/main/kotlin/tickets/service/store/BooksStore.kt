package threadgauge.tickets.service.store

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.withContext
import threadgauge.tickets.published.Notes
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.Books
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.sale.Desk
import threadgauge.tickets.sale.Event
import threadgauge.tickets.sale.Ledger
import java.sql.Connection
import java.sql.ResultSet
import java.sql.SQLException
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The books in a database. Its driver blocks, so every call runs on [blocking]; a caller who is cancelled waits for the end of his call,
 * and no connection is ever given up in the middle of a transaction.
 *
 * Seats of an event are a number, or with [seatRows] a row each; it is so for good from the moment in which the event is opened.
 */
class BooksStore(private val pool: BooksPool, private val blocking: CoroutineDispatcher, private val seatRows: Boolean = false) :
    Ledger, Desk, Notes {
    private val sql = pool.dialect

    override suspend fun grant(event: EventId, asks: List<Ask>): List<Answer> =
        if (seatRows) asks.map { grantSeatRows(it) } else inTransaction { sql.grant(it, event, asks) }

    /** As [grant], for one ask, and in the way of an application that has no function in the database. */
    suspend fun grantRow(ask: Ask): Answer = inTransaction { it.grantRow(ask) }

    /** As [grant], for one ask of an event whose seats are rows. */
    suspend fun grantSeatRows(ask: Ask): Answer = inTransaction { it.grantSeatRows(ask) }

    /**
     * Writes the reservation and takes nothing off the event, as the published experiment did. The seats that are taken may be too many.
     * Where the key is known, its reservation is changed in nothing, so that it comes back.
     */
    override suspend fun write(ask: Ask): Reservation = inTransaction { session ->
        checkNotNull(session.insertOrFind(ask)) { "event ${ask.event} is not in the books" }
    }

    override suspend fun look(event: EventId, asks: List<Ask>): Books? = inTransaction { session ->
        val found = session.all("$look where e.id = ?", asks.map { it.key.text }, event.number) { row ->
            row.getInt("remaining") to if (row.getObject("id") == null) null else session.reservation(row)
        }
        found.firstOrNull()?.let { (remaining, _) -> Books(remaining, found.mapNotNull { it.second }.associateBy { it.key }) }
    }

    override suspend fun open(name: String, capacity: Int, hold: Duration): EventId = inTransaction { session ->
        val remaining = if (seatRows) 0 else capacity
        val id = session.first(open, name, capacity, remaining, hold.inWholeMilliseconds / 1e3) { EventId(it.getLong("id")) }!!
        if (seatRows) session.makeSeatRows(id, capacity)
        id
    }

    override suspend fun event(id: EventId): Event? = inTransaction { it.events("$event where e.id = ?", id.number).firstOrNull() }

    override suspend fun exists(id: EventId): Boolean = inTransaction { it.isThere(id) }

    override suspend fun newest(most: Int): List<Event> = inTransaction { it.events("$event order by e.id desc limit ?", most) }

    override suspend fun forget(id: EventId) = inTransaction { session -> FORGET.forEach { session.change(it, id.number) } }

    override suspend fun reservation(id: UUID): Reservation? = inTransaction { session ->
        session.find(id)?.let { it.copy(state = it.stateAt(session.now())) }
    }

    override suspend fun confirm(id: UUID): Ending? = inTransaction { session ->
        session.locked(id)?.confirmed(session.now())?.also { if (it is Ending.Changed) session.end(it.reservation) }
    }

    override suspend fun release(id: UUID): Ending? = inTransaction { session ->
        val event = session.find(id)?.event ?: return@inTransaction null
        // The event first, then the reservation: the order in which grants lock them.
        session.lock(event)
        session.locked(id)?.released(session.now())?.also { if (it is Ending.Changed) session.giveBack(it.reservation) }
    }

    private suspend fun <T> inTransaction(block: (Session) -> T): T = withContext(blocking) {
        pool.connection.use { carriedOut(it, block, TRIES) }
    }

    /** What the database takes back, because others were in the way, is done again. */
    private fun <T> carriedOut(connection: Connection, block: (Session) -> T, tries: Int): T = try {
        block(Session(connection, sql)).also { connection.commit() }
    } catch (failed: Throwable) {
        runCatching { connection.rollback() }.onFailure(failed::addSuppressed)
        if (tries > 1 && isTakenBack(failed)) carriedOut(connection, block, tries - 1) else throw failed
    }

    private fun Session.events(sql: String, value: Any): List<Event> = all(sql, value) { it.event() }

    /** Asked after a lock was had: whoever waits for one grows older meanwhile. */
    private fun Session.now(): Instant = first("select ${sql.clock} as moment") { sql.instant(it, "moment") }!!

    private fun Session.end(reservation: Reservation) {
        val ended = change("update reservation set state = ?, ended_at = ${sql.clock} where id = ?", reservation.state.name, reservation.id)
        check(ended == 1) { "${reservation.id} was locked and is gone" }
    }

    private fun Session.giveBack(reservation: Reservation) {
        end(reservation)
        if (!freeSeatRows(reservation)) addSeats(reservation.event, reservation.seats.count)
    }

    private val open = "insert into event (name, capacity, remaining, hold) values (?, ?, ?, ${sql.holdValue}) returning id"

    /** Seats are left as a number or as rows. Holds that are over are for sale, whether somebody has written that down or not. */
    private val left = """e.remaining + (select count(*) from seat s where s.event = e.id and s.reservation is null)
    + (select coalesce(sum(o.seats), 0) from reservation o
    where o.event = e.id and o.state = 'HELD' and o.expires_at <= ${sql.moment}) as remaining"""

    private val look = "select $left, $RESERVATION from event e left join reservation r on r.idempotency_key (?*)"

    private val event = """select e.id, e.name, e.capacity, ${sql.holdSeconds} as hold, $left,
    (select coalesce(sum(h.seats), 0) from reservation h
     where h.event = e.id and h.state = 'HELD' and h.expires_at > ${sql.moment}) as held from event e"""
}

/** Deadlocks and the like: class 40 of the SQL standard, "transaction rollback". */
private fun isTakenBack(failed: Throwable) = failed is SQLException && failed.sqlState.orEmpty().startsWith("40")

private const val TRIES = 10

private fun ResultSet.event(): Event {
    val (capacity, remaining, held) = listOf("capacity", "remaining", "held").map(::getInt)
    val hold = getDouble("hold").seconds
    return Event(EventId(getLong("id")), getString("name"), capacity, hold, remaining, held, capacity - remaining - held)
}

private fun Session.find(id: UUID, and: String = ""): Reservation? =
    first("select $RESERVATION from reservation r where r.id = ? $and", id, read = ::reservation)

private fun Session.locked(id: UUID): Reservation? = find(id, "for update")

internal fun Session.isThere(event: EventId): Boolean = first("select id from event where id = ?", event.number) { true } ?: false

/** Everybody who locks an event and reservations of it locks the event first. */
internal fun Session.lock(event: EventId) {
    first("select id from event where id = ? for update", event.number) { }
}

internal fun Session.addSeats(event: EventId, seats: Int) =
    change("update event set remaining = remaining + ? where id = ?", seats, event.number)

private val FORGET = listOf("delete from seat where event = ?", "delete from reservation where event = ?", "delete from event where id = ?")
