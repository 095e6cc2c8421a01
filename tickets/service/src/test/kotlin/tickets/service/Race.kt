package threadgauge.tickets.service

import java.util.UUID
import javax.sql.DataSource
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import threadgauge.tickets.history.Call
import threadgauge.tickets.history.History
import threadgauge.tickets.history.LedgerEntry
import threadgauge.tickets.history.ReserveResult
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.sale.Strategy

/** Concurrent clients, and the ledger in [pool] afterwards. */
internal class Race(private val pool: DataSource) {
    /**
     * Each of [clients] requests one seat of [event], which has [seats], so many [times] with the same key. Requests go
     * to the strategies in turn.
     */
    suspend fun run(
        event: EventId,
        seats: Int,
        clients: Int,
        vararg strategies: Strategy,
        times: Int = 2,
    ): History = coroutineScope {
        val calls = List(times * clients) { number ->
            val request = request(event, "client-${number % clients}")
            async(Dispatchers.Default) { call(strategies[number % strategies.size], request) }
        }.awaitAll()
        strategies.forEach { it.drain() }
        History(seats, calls, entries(event))
    }

    suspend fun call(strategy: Strategy, request: SeatRequest): Call.Reserve {
        val began = System.nanoTime()
        val answer = strategy.reserve(request)
        return Call.Reserve(began, System.nanoTime(), request.key, request.seats.count, resultOf(answer))
    }

    private fun resultOf(answer: Answer): ReserveResult = when (answer) {
        is Answer.Granted -> ReserveResult.Granted(answer.reservation.id)
        is Answer.TooFewSeats -> ReserveResult.SoldOut
        Answer.Unknown -> ReserveResult.Unknown
        else -> ReserveResult.Rejected
    }

    fun entries(event: EventId): List<LedgerEntry> = pool.connection.use { connection ->
        val sql = "select id, idempotency_key, seats, state from reservation where event = ?"
        connection.prepareStatement(sql).use { statement ->
            statement.setLong(1, event.number)
            statement.executeQuery().use { rows ->
                buildList {
                    while (rows.next()) {
                        val key = IdempotencyKey.of(rows.getString("idempotency_key"))!!
                        val state = ReservationState.valueOf(rows.getString("state"))
                        add(LedgerEntry(rows.getObject("id", UUID::class.java), key, rows.getInt("seats"), state))
                    }
                }
            }
        }.also { connection.rollback() }
    }
}

/** Keys are unique over all events. */
internal fun request(event: EventId, key: String, seats: Long = 1) =
    SeatRequest(event, IdempotencyKey.of("${event.number}-$key")!!, Seats.of(seats)!!)

/** Executes and commits [sql]. */
internal fun DataSource.execute(sql: String) = connection.use { connection ->
    connection.createStatement().use { it.execute(sql) }
    connection.commit()
}
