package threadgauge.tickets.service.store

import java.sql.Connection
import java.sql.SQLException
import java.time.Instant
import java.util.UUID
import kotlin.time.Duration
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.withContext
import threadgauge.tickets.published.ReservationWriter
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ending
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Event
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.Ledger

/** How the ledger stores the seats of an event. Fixed when the event is opened; [column] is the value in its row. */
enum class SeatStorage(internal val column: String) {
    /** As the number of those that remain. */
    COUNTER("A_NUMBER"),

    /** As one row per seat. */
    ROWS("ROWS"),

    /**
     * Not at all: what remains is capacity minus reservations, and may be negative. For the strategy that oversells.
     */
    NONE("NOT_KEPT"),
}

/**
 * The ledger in an SQL database. Its driver blocks, so every call runs on [blocking]. A cancelled caller waits for the
 * end of its call, so no connection is given up in the middle of a transaction. Opens events with [seats] as their
 * storage.
 */
class SqlLedger(
    private val pool: LedgerPool,
    private val blocking: CoroutineDispatcher,
    private val seats: SeatStorage = SeatStorage.COUNTER,
) : Ledger, EventService, ReservationWriter {
    private val sql = pool.dialect
    private val queries = EventQueries(sql, seats)

    override suspend fun grant(event: EventId, requests: List<SeatRequest>): List<Answer> =
        if (seats == SeatStorage.ROWS) requests.map { grantSeatRows(it) } else
            inTransaction { sql.grant(it, event, requests) }

    /** As [grant], for one request and by plain statements, without a function in the database. */
    suspend fun grantRow(request: SeatRequest): Answer = inTransaction { it.grantRow(request) }

    /** As [grant], for one request of an event with one row per seat. */
    suspend fun grantSeatRows(request: SeatRequest): Answer = inTransaction { it.grantSeatRows(request) }

    /**
     * Writes the reservation and subtracts nothing from the event, as the published experiment did. So it may oversell.
     * Returns the existing reservation of a known key, unchanged.
     */
    override suspend fun write(request: SeatRequest): Reservation = inTransaction { session ->
        checkNotNull(session.insertOrFind(request)) { "event ${request.event} is not in the ledger" }
    }

    override suspend fun read(event: EventId, requests: List<SeatRequest>): LedgerView? =
        inTransaction { queries.view(it, event, requests) }

    override suspend fun open(name: String, capacity: Int, hold: Duration): EventId =
        open(name, capacity, hold, EventKind.SALE)

    override suspend fun event(id: EventId): Event? = inTransaction { queries.event(it, id) }

    override suspend fun exists(id: EventId): Boolean = inTransaction { queries.isOnSale(it, id) }

    override suspend fun newest(limit: Int): List<Event> = inTransaction { queries.newest(it, limit) }

    /** Opens an event that no query returns, until [endRehearsal] or [endOldRehearsals] ends it. */
    suspend fun openRehearsal(capacity: Int, hold: Duration): EventId =
        open("rehearsal", capacity, hold, EventKind.REHEARSAL)

    /** Deletes the reservations of a rehearsal. */
    suspend fun endRehearsal(id: EventId) = inTransaction { it.endRehearsal(id) }

    /** Ends all rehearsals opened longer than [age] ago, which their services left behind. Returns their number. */
    suspend fun endOldRehearsals(age: Duration): Int {
        val old = inTransaction {
            it.rehearsalsBefore(it.now() - java.time.Duration.ofMillis(age.inWholeMilliseconds))
        }
        old.forEach { endRehearsal(it) }
        return old.size
    }

    override suspend fun reservation(id: UUID): Reservation? = inTransaction { it.find(id) }

    override suspend fun confirm(id: UUID): Ending? = inTransaction { session ->
        session.locked(id)?.confirmed(session.now())?.also { if (it is Ending.Changed) session.end(it.reservation) }
    }

    override suspend fun release(id: UUID): Ending? = inTransaction { session ->
        val event = session.find(id)?.event ?: return@inTransaction null
        // The event first, then the reservation: grants lock in the same order.
        session.lock(event)
        session.locked(id)?.released(session.now())?.also { if (it is Ending.Changed) session.giveBack(it.reservation) }
    }

    private suspend fun open(name: String, capacity: Int, hold: Duration, kind: EventKind): EventId =
        inTransaction { session ->
            val id = session.openEvent(name, capacity, seats, hold, kind)
            if (seats == SeatStorage.ROWS) session.makeSeatRows(id, capacity)
            id
        }

    private suspend fun <T> inTransaction(block: (Session) -> T): T = withContext(blocking) {
        pool.connection.use { runWithRetries(it, block, MAX_ATTEMPTS) }
    }

    /** Repeats a transaction that the database has rolled back because of others. */
    private fun <T> runWithRetries(connection: Connection, block: (Session) -> T, attempts: Int): T = try {
        block(Session(connection, sql)).also { connection.commit() }
    } catch (failed: Throwable) {
        runCatching { connection.rollback() }.onFailure(failed::addSuppressed)
        if (attempts > 1 && isRolledBack(failed)) runWithRetries(connection, block, attempts - 1) else throw failed
    }

    /** Must be read after the lock was acquired, since the wait for it takes time. */
    private fun Session.now(): Instant = first("select ${sql.clock} as moment") { sql.instant(it, "moment") }!!

    private fun Session.end(reservation: Reservation) {
        val update = "update reservation set state = ?, ended_at = ${sql.clock} where id = ?"
        val ended = change(update, reservation.state.name, reservation.id)
        check(ended == 1) { "reservation ${reservation.id} is locked, but $ended rows were updated" }
    }

    private fun Session.giveBack(reservation: Reservation) {
        end(reservation)
        if (!addSeats(reservation.event, reservation.seats.count)) free(listOf(reservation.id))
    }
}

/** Deadlocks and the like: class 40 of the SQL standard, "transaction rollback". */
private fun isRolledBack(failed: Throwable) = failed is SQLException && failed.sqlState.orEmpty().startsWith("40")

private const val MAX_ATTEMPTS = 10

private fun Session.find(id: UUID, suffix: String = ""): Reservation? =
    first("select ${dialect.reservation} from reservation r where r.id = ? $suffix", id, read = ::reservation)

private fun Session.locked(id: UUID): Reservation? = find(id, "for update")
