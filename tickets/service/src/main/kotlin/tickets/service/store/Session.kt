package threadgauge.tickets.service.store

import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.ResultSet
import java.time.Instant
import java.util.UUID

/**
 * One transaction on [connection], spoken in [dialect]. Statements have a `?` for each value; a value that is a list stands behind `(?*)`,
 * which means "is one of these". Used by one thread.
 */
class Session internal constructor(private val connection: Connection, internal val dialect: Dialect) {
    internal fun <T> all(sql: String, vararg values: Any?, read: (ResultSet) -> T): List<T> = prepared(sql, values) { statement ->
        statement.executeQuery().use { rows -> buildList { while (rows.next()) add(read(rows)) } }
    }

    /** Of the first row; null where there is none. */
    internal fun <T : Any> first(sql: String, vararg values: Any?, read: (ResultSet) -> T): T? = prepared(sql, values) { statement ->
        statement.executeQuery().use { rows -> if (rows.next()) read(rows) else null }
    }

    /** The number of rows that were changed. */
    internal fun change(sql: String, vararg values: Any?): Int = prepared(sql, values) { it.executeUpdate() }

    /** Changes the same way for each list of values, in one journey. */
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

    /** Of the row that [row] is at, with the columns of a reservation. */
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
        val text = values.filterIsInstance<List<*>>().fold(sql) { sql, list -> sql.replaceFirst(LIST, dialect.inList(list.size)) }
        return connection.prepareStatement(text).use { statement ->
            bind(statement, if (dialect.hasArrays) values.asList() else values.flatMap { if (it is List<*>) it else listOf(it) })
            run(statement)
        }
    }

    private fun bind(statement: PreparedStatement, values: List<Any?>) = values.forEachIndexed { index, value ->
        when (value) {
            null -> statement.setString(index + 1, null)
            is Instant -> statement.setObject(index + 1, dialect.value(value))
            is List<*> -> statement.setArray(index + 1, connection.createArrayOf(typeOf(value), value.toTypedArray()))
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

/** Columns of a reservation `r`, with the state that it has at that time, also where nobody has written down yet that its hold is over. */
internal val Dialect.reservation: String
    get() = "r.id, r.event, r.idempotency_key, r.seats, r.expires_at, r.caller, " +
        "case when r.state = 'HELD' and r.expires_at <= $clock then 'EXPIRED' else r.state end as state"
