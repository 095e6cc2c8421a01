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
import java.time.Instant
import java.util.UUID
import javax.sql.DataSource
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The books in PostgreSQL. Its driver blocks, so every call runs on [blocking]; a caller who is cancelled waits for the end of his call,
 * and no connection is ever given up in the middle of a transaction. Connections of [pool] must not commit by themselves.
 */
class PostgresStore(private val pool: DataSource, private val blocking: CoroutineDispatcher) : Ledger, Desk, Notes {
    override suspend fun grant(event: EventId, asks: List<Ask>): List<Answer> = inTransaction { it.grantSeats(event, asks) }

    /** As [grant], for one ask, and in the way of an application that has no function in the database. */
    suspend fun grantRow(ask: Ask): Answer = inTransaction { it.grantRow(ask) }

    override suspend fun write(ask: Ask): Reservation = inTransaction { it.writeUnchecked(ask) }

    override suspend fun look(event: EventId, asks: List<Ask>): Books? = inTransaction { connection ->
        connection.prepareStatement(LOOK).use { statement ->
            statement.setArray(1, connection.createArrayOf("text", asks.map { it.key.text }.toTypedArray()))
            statement.setLong(2, event.number)
            statement.executeQuery().use { rows ->
                var remaining: Int? = null
                val known = HashMap<IdempotencyKey, Reservation>()
                while (rows.next()) {
                    remaining = rows.getInt("remaining")
                    if (rows.getObject("id") != null) rows.reservation().let { known[it.key] = it }
                }
                remaining?.let { Books(it, known) }
            }
        }
    }

    override suspend fun open(name: String, capacity: Int, hold: Duration): EventId = inTransaction { connection ->
        connection.prepareStatement(OPEN).use { statement ->
            statement.setString(1, name)
            statement.setInt(2, capacity)
            statement.setInt(3, capacity)
            statement.setDouble(4, hold.inWholeMilliseconds / 1e3)
            statement.executeQuery().use { rows -> rows.next(); EventId(rows.getLong(1)) }
        }
    }

    override suspend fun event(id: EventId): Event? = inTransaction { it.events("$EVENT where e.id = ?", id.number).firstOrNull() }

    override suspend fun exists(id: EventId): Boolean = inTransaction { connection ->
        connection.prepareStatement(EXISTS).use { it.setLong(1, id.number); it.executeQuery().use(ResultSet::next) }
    }

    override suspend fun newest(most: Int): List<Event> =
        inTransaction { it.events("$EVENT order by e.id desc limit ?", most.toLong()) }

    override suspend fun forget(id: EventId) = inTransaction { connection ->
        listOf("delete from reservation where event = ?", "delete from event where id = ?").forEach { sql ->
            connection.prepareStatement(sql).use { it.setLong(1, id.number); it.executeUpdate() }
        }
    }

    override suspend fun reservation(id: UUID): Reservation? = inTransaction { connection ->
        connection.find(id)?.let { it.copy(state = it.stateAt(connection.now())) }
    }

    override suspend fun confirm(id: UUID): Ending? = inTransaction { connection ->
        connection.locked(id)?.confirmed(connection.now())?.also { if (it is Ending.Changed) connection.end(it.reservation) }
    }

    override suspend fun release(id: UUID): Ending? = inTransaction { connection ->
        val event = connection.find(id)?.event ?: return@inTransaction null
        // The event first, then the reservation: the order in which grants lock them.
        connection.prepareStatement(LOCK).use { it.setLong(1, event.number); it.execute() }
        connection.locked(id)?.released(connection.now())?.also { if (it is Ending.Changed) connection.giveBack(it.reservation) }
    }

    private suspend fun <T> inTransaction(block: (Connection) -> T): T = withContext(blocking) {
        pool.connection.use { connection ->
            try {
                block(connection).also { connection.commit() }
            } catch (failed: Throwable) {
                runCatching { connection.rollback() }.onFailure(failed::addSuppressed)
                throw failed
            }
        }
    }
}

private fun Connection.find(id: UUID, sql: String = FIND): Reservation? = prepareStatement(sql).use { statement ->
    statement.setObject(1, id)
    statement.executeQuery().use { rows -> if (rows.next()) rows.reservation() else null }
}

private fun Connection.events(sql: String, value: Long): List<Event> = prepareStatement(sql).use { statement ->
    statement.setLong(1, value)
    statement.executeQuery().use { rows -> buildList { while (rows.next()) add(rows.event()) } }
}

private fun ResultSet.event(): Event {
    val (capacity, remaining, held) = listOf("capacity", "remaining", "held").map(::getInt)
    val hold = getDouble("hold").seconds
    return Event(EventId(getLong("id")), getString("name"), capacity, hold, remaining, held, capacity - remaining - held)
}

private fun Connection.locked(id: UUID) = find(id, "$FIND for update")

/** Asked after a lock was had: whoever waits for one grows older meanwhile. */
private fun Connection.now(): Instant = prepareStatement("select clock_timestamp()").use { statement ->
    statement.executeQuery().use { rows -> rows.next(); rows.instant(1) }
}

private fun Connection.end(reservation: Reservation) = prepareStatement(END).use { statement ->
    statement.setString(1, reservation.state.name)
    statement.setObject(2, reservation.id)
    check(statement.executeUpdate() == 1) { "${reservation.id} was locked and is gone" }
}

private fun Connection.giveBack(reservation: Reservation) {
    end(reservation)
    prepareStatement(GIVE_BACK).use { statement ->
        statement.setInt(1, reservation.seats.count)
        statement.setLong(2, reservation.event.number)
        statement.executeUpdate()
    }
}

private const val COLUMNS = "r.id, r.event, r.key, r.seats, r.state, r.expires_at"
private const val FIND = "select $COLUMNS from reservation r where r.id = ?"

/** Holds that are over are for sale, whether somebody has written that down or not. `now()` is the same in all of a transaction. */
private const val LEFT = """e.remaining + (select coalesce(sum(o.seats), 0) from reservation o
    where o.event = e.id and o.state = 'HELD' and o.expires_at <= now()) as remaining"""

private const val LOOK = "select $LEFT, $COLUMNS from event e left join reservation r on r.key = any(?) where e.id = ?"

private const val OPEN =
    "insert into event (name, capacity, remaining, hold) values (?, ?, ?, make_interval(secs => ?)) returning id"

private const val EXISTS = "select 1 from event where id = ?"

private const val EVENT = """select e.id, e.name, e.capacity, extract(epoch from e.hold) as hold, $LEFT,
    (select coalesce(sum(h.seats), 0) from reservation h
     where h.event = e.id and h.state = 'HELD' and h.expires_at > now()) as held from event e"""

private const val LOCK = "select 1 from event where id = ? for update"
private const val END = "update reservation set state = ?, ended_at = clock_timestamp() where id = ?"
private const val GIVE_BACK = "update event set remaining = remaining + ? where id = ?"
