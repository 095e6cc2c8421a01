package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.Books
import threadgauge.tickets.rules.Reservation
import java.sql.Connection

/**
 * Grants one ask as an application does that has no function in the database: take the seats off the event if there are as many, then write
 * the reservation, in this connection's transaction. Two statements where all goes well, which is as few as it can be.
 */
internal fun Connection.grantRow(ask: Ask): Answer {
    if (!takeSeats(ask)) {
        known(ask)?.let { return it }
        // Holds that are over are for sale; they are given back by whoever needs them. Others may have given back meanwhile, too.
        giveBackExpired(ask)
        if (!takeSeats(ask)) return remaining(ask)
    }
    return insert(ask) ?: run {
        // The key is known: whatever its answer is, nothing is taken for it.
        rollback()
        checkNotNull(known(ask)) { "${ask.key} was known and is not" }
    }
}

/** False where nothing was taken. Waits for whoever has the row. */
private fun Connection.takeSeats(ask: Ask): Boolean = prepareStatement(TAKE).use { statement ->
    statement.setInt(1, ask.seats.count)
    statement.setLong(2, ask.event.number)
    statement.setInt(3, ask.seats.count)
    statement.executeUpdate() == 1
}

/** Null where the key is known. Waits for whoever writes the same key. */
private fun Connection.insert(ask: Ask): Answer? = write(ask, "on conflict (key) do nothing")?.let { Answer.Granted(it, isRepeat = false) }

/** Writes a reservation, a hold of the event's length; [orElse] says what is done where the key is known. Null where no row comes of it. */
internal fun Connection.write(ask: Ask, orElse: String): Reservation? = prepareStatement("$INSERT $orElse $WRITTEN").use { statement ->
    statement.setObject(1, newReservationId())
    statement.setLong(2, ask.event.number)
    statement.setString(3, ask.key.text)
    statement.setInt(4, ask.seats.count)
    statement.setString(5, ask.user)
    statement.setLong(6, ask.event.number)
    statement.executeQuery().use { row -> if (row.next()) row.reservation() else null }
}

/** What is told to a key that is known; null where it is not. */
internal fun Connection.known(ask: Ask): Answer? = prepareStatement(KNOWN).use { statement ->
    statement.setString(1, ask.key.text)
    statement.executeQuery().use { row -> if (row.next()) Books(0, mapOf(ask.key to row.reservation())).answer(ask) else null }
}

private fun Connection.giveBackExpired(ask: Ask) {
    // The event first, then its reservations: the order in which everybody locks them.
    prepareStatement(LOCK).use { it.setLong(1, ask.event.number); it.execute() }
    prepareStatement(EXPIRE).use { statement ->
        statement.setLong(1, ask.event.number)
        statement.setLong(2, ask.event.number)
        statement.executeUpdate()
    }
}

/** Asked under the lock, so it was true when it is told. */
private fun Connection.remaining(ask: Ask): Answer = prepareStatement(REMAINING).use { statement ->
    statement.setLong(1, ask.event.number)
    statement.executeQuery().use { row -> if (row.next()) Answer.TooFewSeats(row.getInt(1)) else Answer.NoSuchEvent }
}

private const val TAKE = "update event set remaining = remaining - ? where id = ? and remaining >= ?"

private const val INSERT = """insert into reservation (id, event, key, seats, state, caller, expires_at)
    select ?, ?, ?, ?, 'HELD', ?, clock_timestamp() + e.hold from event e where e.id = ?"""

private const val WRITTEN = "returning id, event, key, seats, state, expires_at"

private const val KNOWN = "select r.id, r.event, r.key, r.seats, r.state, r.expires_at from reservation r where r.key = ?"
private const val LOCK = "select 1 from event where id = ? for update"
private const val REMAINING = "select remaining from event where id = ?"

/** No row where nothing was over. */
private const val EXPIRE = """with over as (
        update reservation set state = 'EXPIRED', ended_at = expires_at
        where event = ? and state = 'HELD' and expires_at <= clock_timestamp() returning seats
    )
    update event set remaining = remaining + o.seats from (select sum(seats) as seats from over) o where id = ? and o.seats is not null"""
