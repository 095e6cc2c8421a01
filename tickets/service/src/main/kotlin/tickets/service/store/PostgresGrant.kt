package threadgauge.tickets.service.store

import java.sql.ResultSet
import java.sql.Timestamp
import java.util.UUID
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats

/** Grants the [requests] in their order by the database function of the migrations, in one round trip. */
internal fun Session.grantByFunction(event: EventId, requests: List<SeatRequest>): List<Answer> {
    val firstOf = HashMap<IdempotencyKey, Int>()
    requests.forEachIndexed { index, request -> firstOf.putIfAbsent(request.key, index) }
    val (first, others) = requests.indices.partition { firstOf[requests[it].key] == it }
    val answers = first.zip(grantDistinct(event, first.map(requests::get))).toMap(HashMap())
    // Repeated keys in one batch. If the first request with a key got nothing, a different one is granted after all
    // others.
    val open = others.filter { index ->
        val before = firstOf.getValue(requests[index].key)
        answers[before] !is Answer.Granted && requests[before] != requests[index]
    }
    if (open.isNotEmpty()) answers += open.zip(grantByFunction(event, open.map(requests::get)))
    return requests.indices.map { index ->
        answers[index] ?: answers.getValue(firstOf.getValue(requests[index].key)).let { first ->
            if (first is Answer.Granted) repeated(first.reservation, requests[index]) else first
        }
    }
}

/** The answer to [request], whose key already has that [reservation]. */
private fun repeated(reservation: Reservation, request: SeatRequest): Answer =
    LedgerView(0, mapOf(request.key to reservation)).answer(request)!!

/** The keys of [requests] must differ. */
private fun Session.grantDistinct(event: EventId, requests: List<SeatRequest>): List<Answer> {
    val ids = requests.map { newReservationId() }
    return first(
        "select * from grant_seats(?, ?, ?, ?, ?)",
        event.number, requests.map { it.key.text }, requests.map { it.seats.count }, requests.map { it.user }, ids,
    ) { answers(it, requests, ids) } ?: requests.map { Answer.NoSuchEvent }
}

private fun answers(row: ResultSet, requests: List<SeatRequest>, ids: List<UUID>): List<Answer> {
    val answers = row.array<Int>("answers")
    val left = row.array<Int>("left_then")
    val expires = Postgres.instant(row, "expires")
    val known = if (KNOWN in answers) known(row, requests) else emptyList()
    return requests.mapIndexed { i, request ->
        when (answers[i]) {
            KNOWN -> repeated(known[i]!!, request)
            GRANTED -> {
                val (event, key, seats, user) = request
                val granted = Reservation(ids[i], event, key, seats, ReservationState.HELD, expires, user)
                Answer.Granted(granted, isRepeat = false)
            }
            else -> Answer.TooFewSeats(left[i]!!)
        }
    }
}

private fun known(row: ResultSet, requests: List<SeatRequest>): List<Reservation?> {
    val ids = row.array<UUID>("known_ids")
    val events = row.array<Long>("known_events")
    val seats = row.array<Int>("known_seats")
    val states = row.array<String>("known_states")
    val expires = row.array<Timestamp>("known_expires")
    val callers = row.array<String>("known_callers")
    return requests.mapIndexed { i, request ->
        ids[i]?.let { id ->
            Reservation(
                id, EventId(events[i]!!), request.key, Seats.of(seats[i]!!.toLong())!!,
                ReservationState.valueOf(states[i]!!), expires[i]!!.toInstant(), callers[i],
            )
        }
    }
}

@Suppress("UNCHECKED_CAST")
private fun <T> ResultSet.array(column: String): Array<T?> = getArray(column).array as Array<T?>

private const val KNOWN = 0
private const val GRANTED = 1
