package threadgauge.tickets.audit

import java.sql.DriverManager
import java.sql.ResultSet
import java.sql.SQLException
import java.util.logging.Level
import java.util.logging.Logger
import kotlin.system.exitProcess

/**
 * Reads what the books say of events, and prints one line of JSON for each. It shares no code with the service: whoever checks promises
 * must not be mistaken in the same way as whoever made them.
 *
 * Arguments: the JDBC address of the books, user, password, and the numbers of the events, a comma between two. Exit codes: 0 done, 64
 * wrong arguments, 69 the books cannot be read, or hold no such event; then a line of its errors says why.
 */
fun main(arguments: Array<String>) {
    val events = arguments.getOrNull(3)?.split(',')?.map { it.toLongOrNull() }
    if (events == null || null in events || arguments.size != 4) {
        stop(64, "four arguments are needed: JDBC address, user, password, numbers of events such as 7 or 7,8,9")
    }
    // The driver would tell of every attempt on its own.
    Logger.getLogger("org.postgresql").level = Level.OFF
    val books = try {
        read(arguments[0], arguments[1], arguments[2], events.filterNotNull())
    } catch (failure: SQLException) {
        stop(69, "the books cannot be read: ${failure.message}")
    }
    for (event in events) println(books[event] ?: stop(69, "the books hold no event $event"))
}

/** The line of each event that there is, by its number. One statement reads all reservations once, however many events are asked for. */
private fun read(jdbc: String, user: String, password: String, events: List<Long>): Map<Long, String> =
    DriverManager.getConnection(jdbc, user, password).use { books ->
        books.prepareStatement(QUESTION.replace("(?)", events.joinToString(", ", "(", ")") { "?" })).use { statement ->
            events.forEachIndexed { index, event -> statement.setLong(index + 1, event) }
            statement.executeQuery().use { rows ->
                generateSequence { if (rows.next()) rows.getLong("id") to line(rows) else null }.toMap()
            }
        }
    }

private fun line(row: ResultSet): String {
    val (seats, taken, reservations, wishes) = (2..5).map(row::getLong)
    return """{"seats": $seats, "taken": $taken, "reservations": $reservations, "wishes": $wishes}"""
}

private fun stop(code: Int, words: String): Nothing {
    System.err.println(words)
    exitProcess(code)
}

/** Seats are taken while they are held or confirmed. Every reservation that was ever made counts as one, also when it was given back. */
private const val QUESTION = """
    select e.id, e.capacity,
           coalesce(sum(case when r.state in ('HELD', 'CONFIRMED') then r.seats end), 0),
           count(r.id),
           count(distinct r.idempotency_key)
    from event e left join reservation r on r.event = e.id
    where e.id in (?)
    group by e.id"""
