package threadgauge.tickets.audit

import java.sql.DriverManager
import java.sql.SQLException
import java.util.logging.Level
import java.util.logging.Logger
import kotlin.system.exitProcess

/**
 * Reads what the books say of one event, and prints it as one line of JSON. It shares no code with the service: whoever checks promises
 * must not be mistaken in the same way as whoever made them.
 *
 * Arguments: the JDBC address of the books, user, password, and the number of the event. Exit codes: 0 done, 64 wrong arguments, 69 the
 * books cannot be read, or hold no such event; then a line of its errors says why.
 */
fun main(arguments: Array<String>) {
    val event = arguments.getOrNull(3)?.toLongOrNull()
    if (event == null || arguments.size != 4) stop(64, "four arguments are needed: JDBC address, user, password, number of the event")
    // The driver would tell of every attempt on its own.
    Logger.getLogger("org.postgresql").level = Level.OFF
    try {
        println(read(arguments[0], arguments[1], arguments[2], event) ?: stop(69, "the books hold no event $event"))
    } catch (failure: SQLException) {
        stop(69, "the books cannot be read: ${failure.message}")
    }
}

/** Null where there is no such event. */
private fun read(jdbc: String, user: String, password: String, event: Long): String? =
    DriverManager.getConnection(jdbc, user, password).use { books ->
        books.prepareStatement(QUESTION).use { statement ->
            statement.setLong(1, event)
            statement.executeQuery().use { rows ->
                if (!rows.next()) return null
                val (seats, taken, reservations, wishes) = (1..4).map(rows::getLong)
                """{"seats": $seats, "taken": $taken, "reservations": $reservations, "wishes": $wishes}"""
            }
        }
    }

private fun stop(code: Int, words: String): Nothing {
    System.err.println(words)
    exitProcess(code)
}

/** Seats are taken while they are held or confirmed. Every reservation that was ever made counts as one, also when it was given back. */
private const val QUESTION = """
    select e.capacity,
           coalesce(sum(case when r.state in ('HELD', 'CONFIRMED') then r.seats end), 0),
           count(r.id),
           count(distinct r.idempotency_key)
    from event e left join reservation r on r.event = e.id
    where e.id = ?
    group by e.id"""
