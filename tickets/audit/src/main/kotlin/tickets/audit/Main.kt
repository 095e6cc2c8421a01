package threadgauge.tickets.audit

import java.sql.DriverManager
import java.sql.ResultSet
import java.sql.SQLException
import java.util.logging.Level
import java.util.logging.Logger
import kotlin.system.exitProcess

/**
 * Reads events from the ledger and prints one line of JSON for each. It shares no code with the service, so that a
 * check of its promises cannot repeat its mistakes.
 *
 * Arguments: the JDBC URL of the ledger, user, password, and the numbers of the events, separated by commas. Exit
 * codes: 0 success, 64 wrong arguments, 69 the ledger cannot be read or has no such event. The reason goes to standard
 * error.
 */
fun main(arguments: Array<String>) {
    val events = arguments.getOrNull(3)?.split(',')?.map { it.toLongOrNull() }
    if (events == null || null in events || arguments.size != 4) {
        exit(64, "four arguments are needed: JDBC URL, user, password, numbers of events such as 7 or 7,8,9")
    }
    // The driver would log every failed attempt.
    Logger.getLogger("org.postgresql").level = Level.OFF
    val lines = try {
        read(arguments[0], arguments[1], arguments[2], events.filterNotNull())
    } catch (failure: SQLException) {
        exit(69, "the ledger cannot be read: ${failure.message}")
    }
    for (event in events) println(lines[event] ?: exit(69, "the ledger has no event $event"))
}

/** Lines by event, without unknown events. One statement reads all reservations once, for any number of events. */
private fun read(jdbc: String, user: String, password: String, events: List<Long>): Map<Long, String> =
    DriverManager.getConnection(driverUrl(jdbc), user, password).use { ledger ->
        val query = QUERY.replace("(?)", events.joinToString(", ", "(", ")") { "?" })
        ledger.prepareStatement(query).use { statement ->
            events.forEachIndexed { index, event -> statement.setLong(index + 1, event) }
            statement.executeQuery().use { rows ->
                generateSequence { if (rows.next()) rows.getLong("id") to line(rows) else null }.toMap()
            }
        }
    }

/** MariaDB's driver speaks to MySQL, too. */
private fun driverUrl(jdbc: String) =
    if (jdbc.startsWith("jdbc:mysql:")) "jdbc:mariadb:" + jdbc.removePrefix("jdbc:mysql:") else jdbc

/** The name `wishes`, for distinct keys, is part of the format that the bench reads. */
private fun line(row: ResultSet): String {
    val (seats, taken, reservations, keys) = (2..5).map(row::getLong)
    return """{"seats": $seats, "taken": $taken, "reservations": $reservations, "wishes": $keys}"""
}

private fun exit(code: Int, message: String): Nothing {
    System.err.println(message)
    exitProcess(code)
}

/** Held and confirmed reservations take seats. All reservations are counted, including released ones. */
private const val QUERY = """
    select e.id, e.capacity,
           coalesce(sum(case when r.state in ('HELD', 'CONFIRMED') then r.seats end), 0),
           count(r.id),
           count(distinct r.idempotency_key)
    from event e left join reservation r on r.event = e.id
    where e.id in (?)
    group by e.id"""
