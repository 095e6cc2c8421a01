package threadgauge.tickets.service.store

import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.rules.Books
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.Seats
import java.sql.ResultSet
import java.sql.Timestamp
import java.util.UUID

/** Grants the [asks] in their order by the function that the migrations have made, which is one journey for all of them. */
internal fun Session.grantByFunction(event: EventId, asks: List<Ask>): List<Answer> {
    val firstOf = HashMap<IdempotencyKey, Int>()
    asks.forEachIndexed { index, ask -> firstOf.putIfAbsent(ask.key, index) }
    val (first, others) = asks.indices.partition { firstOf[asks[it].key] == it }
    val answers = first.zip(grantDifferent(event, first.map(asks::get))).toMap(HashMap())
    // The same keys once more in one batch. Another wish behind the key of one that got nothing is a question of its own, after all others.
    val open = others.filter { index ->
        val before = firstOf.getValue(asks[index].key)
        answers[before] !is Answer.Granted && asks[before] != asks[index]
    }
    if (open.isNotEmpty()) answers += open.zip(grantByFunction(event, open.map(asks::get)))
    return asks.indices.map { index ->
        answers[index] ?: answers.getValue(firstOf.getValue(asks[index].key)).let { first ->
            if (first is Answer.Granted) again(first.reservation, asks[index]) else first
        }
    }
}

/** What [ask] is told whose key has that [reservation] already. */
private fun again(reservation: Reservation, ask: Ask): Answer = Books(0, mapOf(ask.key to reservation)).answer(ask)!!

private fun Session.grantDifferent(event: EventId, asks: List<Ask>): List<Answer> {
    val ids = asks.map { newReservationId() }
    val values = arrayOf(event.number, asks.map { it.key.text }, asks.map { it.seats.count }, asks.map { it.user }, ids)
    return first("select * from grant_seats(?, ?, ?, ?, ?)", *values) { answers(it, asks, ids) } ?: asks.map { Answer.NoSuchEvent }
}

private fun answers(row: ResultSet, asks: List<Ask>, ids: List<UUID>): List<Answer> {
    val answers = row.array<Int>("answers")
    val left = row.array<Int>("left_then")
    val expires = Postgres.instant(row, "expires")
    val known = if (KNOWN in answers) known(row, asks) else emptyList()
    return asks.mapIndexed { i, ask ->
        when (answers[i]) {
            KNOWN -> again(known[i]!!, ask)
            GRANTED -> Answer.Granted(
                Reservation(ids[i], ask.event, ask.key, ask.seats, ReservationState.HELD, expires, ask.user), isRepeat = false,
            )
            else -> Answer.TooFewSeats(left[i]!!)
        }
    }
}

private fun known(row: ResultSet, asks: List<Ask>): List<Reservation?> {
    val ids = row.array<UUID>("known_ids")
    val events = row.array<Long>("known_events")
    val seats = row.array<Int>("known_seats")
    val states = row.array<String>("known_states")
    val expires = row.array<Timestamp>("known_expires")
    val callers = row.array<String>("known_callers")
    return asks.mapIndexed { i, ask ->
        ids[i]?.let { id ->
            Reservation(
                id, EventId(events[i]!!), ask.key, Seats.of(seats[i]!!.toLong())!!, ReservationState.valueOf(states[i]!!),
                expires[i]!!.toInstant(), callers[i],
            )
        }
    }
}

@Suppress("UNCHECKED_CAST")
private fun <T> ResultSet.array(column: String): Array<T?> = getArray(column).array as Array<T?>

private const val KNOWN = 0
private const val GRANTED = 1
