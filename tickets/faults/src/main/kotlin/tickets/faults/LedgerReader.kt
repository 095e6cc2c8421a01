package threadgauge.tickets.faults

import java.sql.Connection
import java.util.UUID
import threadgauge.tickets.history.LedgerEntry
import threadgauge.tickets.history.LedgerSnapshot
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState

/**
 * Reads a ledger past the services, each time on a new connection of [connect]. [clock] is SQL for the current time, in
 * the type of the ledger's columns. For any thread.
 */
internal class LedgerReader(private val clock: String, private val connect: () -> Connection) {
    /** All reservations of [event]. */
    fun entries(event: Long): List<LedgerEntry> = query { connection ->
        connection.prepareStatement(ENTRIES.format(clock)).use { statement ->
            statement.setLong(1, event)
            statement.executeQuery().use { rows ->
                buildList {
                    while (rows.next()) {
                        val key = IdempotencyKey.of(rows.getString("idempotency_key"))!!
                        val state = ReservationState.valueOf(rows.getString("state"))
                        add(LedgerEntry(rows.getObject("id", UUID::class.java), key, rows.getInt("seats"), state))
                    }
                }
            }
        }
    }

    /** The seats of [event] in one statement, however they are stored. Expired holds count as held until updated. */
    fun snapshot(event: Long): LedgerSnapshot = query { connection ->
        connection.prepareStatement(SNAPSHOT).use { statement ->
            statement.setLong(1, event)
            statement.executeQuery().use { rows ->
                check(rows.next()) { "there is no event $event" }
                LedgerSnapshot(rows.getInt("remaining"), rows.getInt("held"), rows.getInt("confirmed"))
            }
        }
    }

    /** Runs [query] on a connection of its own. */
    fun <T> query(query: (Connection) -> T): T = connect().use(query)

    private companion object {
        /** Returns expired holds as such even if their state was not updated yet. */
        const val ENTRIES = "select id, idempotency_key, seats, " +
            "case when state = 'HELD' and expires_at <= %s then 'EXPIRED' else state end as state " +
            "from reservation where event = ?"
        const val SNAPSHOT = """
            select case when e.seats = 'ROWS'
                        then (select count(*) from seat s where s.event = e.id and s.reservation is null)
                        else e.remaining end as remaining,
                   (select coalesce(sum(r.seats), 0) from reservation r
                    where r.event = e.id and r.state = 'HELD') as held,
                   (select coalesce(sum(r.seats), 0) from reservation r
                    where r.event = e.id and r.state = 'CONFIRMED') as confirmed
            from event e where e.id = ?"""
    }
}
