package threadgauge.tickets.service.store

import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.ResultSet
import java.time.Instant
import java.util.UUID
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats

/**
 * One transaction on [connection], in SQL of [dialect]. Statements have a `?` for each value. A list is written as
 * `(?*)` and means "is one of these". Not thread-safe.
 */
class Session internal constructor(private val connection: Connection, internal val dialect: Dialect) {
    internal fun <T> all(sql: String, vararg values: Any?, read: (ResultSet) -> T): List<T> =
        prepared(sql, values) { statement ->
            statement.executeQuery().use { rows -> buildList { while (rows.next()) add(read(rows)) } }
        }

    /** Reads the first row; null if there is none. */
    internal fun <T : Any> first(sql: String, vararg values: Any?, read: (ResultSet) -> T): T? =
        prepared(sql, values) { statement ->
            statement.executeQuery().use { rows -> if (rows.next()) read(rows) else null }
        }

    /** Returns the number of changed rows. */
    internal fun change(sql: String, vararg values: Any?): Int = prepared(sql, values) { it.executeUpdate() }

    /** Executes the statement for each list of values, in one round trip. */
    internal fun changeAll(sql: String, values: List<List<Any?>>) {
        connection.prepareStatement(sql).use { statement ->
            for (row in values) {
                bind(statement, row)
                statement.addBatch()
            }
            statement.executeBatch()
        }
    }

    internal fun commit() = connection.commit()

    internal fun rollback() = connection.rollback()

    /** Reads the current row, which must have the columns of [Dialect.reservation]. */
    internal fun reservation(row: ResultSet) = Reservation(
        id = row.getObject("id", UUID::class.java),
        event = EventId(row.getLong("event")),
        key = IdempotencyKey.of(row.getString("idempotency_key"))!!,
        seats = Seats.of(row.getLong("seats"))!!,
        state = ReservationState.valueOf(row.getString("state")),
        expiresAt = dialect.instant(row, "expires_at"),
        user = row.getString("caller"),
    )

    private fun <T> prepared(sql: String, values: Array<out Any?>, run: (PreparedStatement) -> T): T {
        val text = values.filterIsInstance<List<*>>()
            .fold(sql) { sql, list -> sql.replaceFirst(LIST, dialect.inList(list.size)) }
        val parameters = if (dialect.hasArrays) values.asList() else
            values.flatMap { if (it is List<*>) it else listOf(it) }
        return connection.prepareStatement(text).use { statement ->
            bind(statement, parameters)
            run(statement)
        }
    }

    private fun bind(statement: PreparedStatement, values: List<Any?>) = values.forEachIndexed { index, value ->
        when (value) {
            null -> statement.setString(index + 1, null)
            is Instant -> statement.setObject(index + 1, dialect.value(value))
            is List<*> ->
                statement.setArray(index + 1, connection.createArrayOf(typeOf(value), value.toTypedArray()))
            else -> statement.setObject(index + 1, value)
        }
    }

    private fun typeOf(values: List<*>) = when (values.firstOrNull { it != null }) {
        is Int -> "integer"
        is UUID -> "uuid"
        else -> "text"
    }

    private companion object {
        const val LIST = "(?*)"
    }
}

/** Columns of a reservation `r`. An expired hold is returned as such even if its state was not updated yet. */
internal val Dialect.reservation: String
    get() = "r.id, r.event, r.idempotency_key, r.seats, r.expires_at, r.caller, " +
        "case when r.state = 'HELD' and r.expires_at <= $clock then 'EXPIRED' else r.state end as state"
