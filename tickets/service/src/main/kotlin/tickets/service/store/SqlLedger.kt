package threadgauge.tickets.service.store

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.withContext
import threadgauge.tickets.published.ReservationWriter
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.Event
import threadgauge.tickets.sale.Ledger
import java.sql.Connection
import java.sql.SQLException
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration

/** How the books keep the seats of an event; it is so for good from the moment in which the event is opened. */
enum class SeatStorage(internal val column: String) {
    /** A number of those that remain. */
    COUNTER("A_NUMBER"),

    /** A row each. */
    ROWS("ROWS"),

    /** Nowhere: what remains is the capacity without what is taken, and may be less than nothing. For the sale that oversells. */
    NONE("NOT_KEPT"),
}

/**
 * The books in a database. Its driver blocks, so every call runs on [blocking]; a caller who is cancelled waits for the end of his call,
 * and no connection is ever given up in the middle of a transaction. Events are opened with [seats] kept in that way.
 */
class SqlLedger(
    private val pool: LedgerPool,
    private val blocking: CoroutineDispatcher,
    private val seats: SeatStorage = SeatStorage.COUNTER,
) : Ledger, EventService, ReservationWriter {
    private val sql = pool.dialect
    private val queries = EventQueries(sql, seats)

    override suspend fun grant(event: EventId, requests: List<SeatRequest>): List<Answer> =
        if (seats == SeatStorage.ROWS) requests.map { grantSeatRows(it) } else inTransaction { sql.grant(it, event, requests) }

    /** As [grant], for one ask, and in the way of an application that has no function in the database. */
    suspend fun grantRow(request: SeatRequest): Answer = inTransaction { it.grantRow(request) }

    /** As [grant], for one ask of an event whose seats are rows. */
    suspend fun grantSeatRows(request: SeatRequest): Answer = inTransaction { it.grantSeatRows(request) }

    /**
     * Writes the reservation and takes nothing off the event, as the published experiment did. The seats that are taken may be too many.
     * Where the key is known, its reservation is changed in nothing, so that it comes back.
     */
    override suspend fun write(request: SeatRequest): Reservation = inTransaction { session ->
        checkNotNull(session.insertOrFind(request)) { "event ${request.event} is not in the books" }
    }

    override suspend fun read(event: EventId, requests: List<SeatRequest>): LedgerView? = inTransaction { queries.view(it, event, requests) }

    override suspend fun open(name: String, capacity: Int, hold: Duration): EventId = open(name, capacity, hold, EventKind.SALE)

    override suspend fun event(id: EventId): Event? = inTransaction { queries.event(it, id) }

    override suspend fun exists(id: EventId): Boolean = inTransaction { queries.isOnSale(it, id) }

    override suspend fun newest(limit: Int): List<Event> = inTransaction { queries.newest(it, limit) }

    /** Opens an event that is on sale for nobody but who knows its number, until it is ended or [endOldRehearsals] finds it. */
    suspend fun openRehearsal(capacity: Int, hold: Duration): EventId = open("rehearsal", capacity, hold, EventKind.REHEARSAL)

    /** Takes the reservations of a rehearsal out of the books, as if they had never been. */
    suspend fun endRehearsal(id: EventId) = inTransaction { it.endRehearsal(id) }

    /** The same for those whose services did not end them, which were opened longer than [age] ago. Tells how many. */
    suspend fun endOldRehearsals(age: Duration): Int {
        val old = inTransaction { it.rehearsalsBefore(it.now() - java.time.Duration.ofMillis(age.inWholeMilliseconds)) }
        old.forEach { endRehearsal(it) }
        return old.size
    }

    override suspend fun reservation(id: UUID): Reservation? = inTransaction { it.find(id) }

    override suspend fun confirm(id: UUID): Ending? = inTransaction { session ->
        session.locked(id)?.confirmed(session.now())?.also { if (it is Ending.Changed) session.end(it.reservation) }
    }

    override suspend fun release(id: UUID): Ending? = inTransaction { session ->
        val event = session.find(id)?.event ?: return@inTransaction null
        // The event first, then the reservation: the order in which grants lock them.
        session.lock(event)
        session.locked(id)?.released(session.now())?.also { if (it is Ending.Changed) session.giveBack(it.reservation) }
    }

    private suspend fun open(name: String, capacity: Int, hold: Duration, kind: EventKind): EventId = inTransaction { session ->
        val id = session.openEvent(name, capacity, seats, hold, kind)
        if (seats == SeatStorage.ROWS) session.makeSeatRows(id, capacity)
        id
    }

    private suspend fun <T> inTransaction(block: (Session) -> T): T = withContext(blocking) {
        pool.connection.use { runWithRetries(it, block, MAX_ATTEMPTS) }
    }

    /** What the database takes back, because others were in the way, is done again. */
    private fun <T> runWithRetries(connection: Connection, block: (Session) -> T, attempts: Int): T = try {
        block(Session(connection, sql)).also { connection.commit() }
    } catch (failed: Throwable) {
        runCatching { connection.rollback() }.onFailure(failed::addSuppressed)
        if (attempts > 1 && isRolledBack(failed)) runWithRetries(connection, block, attempts - 1) else throw failed
    }

    /** Asked after a lock was had: whoever waits for one grows older meanwhile. */
    private fun Session.now(): Instant = first("select ${sql.clock} as moment") { sql.instant(it, "moment") }!!

    private fun Session.end(reservation: Reservation) {
        val ended = change("update reservation set state = ?, ended_at = ${sql.clock} where id = ?", reservation.state.name, reservation.id)
        check(ended == 1) { "${reservation.id} was locked and is gone" }
    }

    private fun Session.giveBack(reservation: Reservation) {
        end(reservation)
        if (!addSeats(reservation.event, reservation.seats.count)) free(listOf(reservation.id))
    }
}

/** Deadlocks and the like: class 40 of the SQL standard, "transaction rollback". */
private fun isRolledBack(failed: Throwable) = failed is SQLException && failed.sqlState.orEmpty().startsWith("40")

private const val MAX_ATTEMPTS = 10

private fun Session.find(id: UUID, and: String = ""): Reservation? =
    first("select ${dialect.reservation} from reservation r where r.id = ? $and", id, read = ::reservation)

private fun Session.locked(id: UUID): Reservation? = find(id, "for update")
