package threadgauge.tickets.sale

import java.time.Instant
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.grantInOrder

/** An in-memory ledger that behaves as a database: one transaction at a time, each of which takes the time [commit]. */
class InMemoryLedger(private val capacity: Int, private val commit: Duration = 1.milliseconds) : Ledger {
    private val event = EventId(1)
    val reservations = LinkedHashMap<IdempotencyKey, Reservation>()
    val batches = ArrayList<Int>()
    var reads = 0

    /** Called before and after each transaction. May throw, as a broken connection does. */
    var onBegin: () -> Unit = {}
    var onCommitted: () -> Unit = {}

    private val row = Mutex()

    val remaining: Int get() = capacity - reservations.values.filter { it.state.takesSeats }.sumOf { it.seats.count }

    override suspend fun grant(event: EventId, requests: List<SeatRequest>): List<Answer> = row.withLock {
        onBegin()
        delay(commit)
        if (event != this.event) return requests.map { Answer.NoSuchEvent }
        batches += requests.size
        val answers = grantInOrder(LedgerView(remaining, reservations), requests) { (_, key, seats, user) ->
            Reservation(UUID.randomUUID(), event, key, seats, ReservationState.HELD, Instant.MAX, user)
        }
        answers.filterIsInstance<Answer.Granted>().forEach { reservations[it.reservation.key] = it.reservation }
        onCommitted()
        answers
    }

    override suspend fun read(event: EventId, requests: List<SeatRequest>): LedgerView? {
        onBegin()
        delay(commit)
        reads++
        if (event != this.event) return null
        val known = requests.mapNotNull { request -> reservations[request.key]?.let { request.key to it } }.toMap()
        return LedgerView(remaining, known)
    }

    fun release(key: IdempotencyKey) {
        reservations[key] = reservations.getValue(key).copy(state = ReservationState.RELEASED)
    }
}
