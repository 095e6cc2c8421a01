package threadgauge.tickets.linear

import java.time.Instant
import java.util.UUID
import threadgauge.tickets.gate.GateDecision
import threadgauge.tickets.gate.SeatGate
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.LedgerView
import threadgauge.tickets.rules.Reservation
import threadgauge.tickets.rules.ReservationState
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.rules.Seats
import threadgauge.tickets.rules.grantInOrder
import threadgauge.tickets.sale.Ledger

internal const val SEATS = 3
internal const val GRANTED = "granted"
internal const val AGAIN = "granted before"
internal const val TOO_FEW = "too few seats"
internal const val TAKEN = "key taken"

/** The answers to sequential requests: an independent second implementation of the rule. */
class SequentialSale {
    private val reservations = HashMap<Int, Int>()
    private val released = HashSet<Int>()
    private var left = SEATS

    fun reserve(key: Int, seats: Int): String {
        val before = reservations[key]
        return when {
            before != null -> if (before == seats) AGAIN else TAKEN
            seats > left -> TOO_FEW
            else -> GRANTED.also { reservations[key] = seats; left -= seats }
        }
    }

    fun release(key: Int): Boolean {
        val seats = reservations[key]
        if (seats == null || !released.add(key)) return false
        left += seats
        return true
    }
}

/** An in-memory ledger for any number of threads, whose calls are atomic. */
internal class InstantLedger(private val capacity: Int) : Ledger {
    private val reservations = HashMap<IdempotencyKey, Reservation>() // guarded by this

    private val taken get() = reservations.values.filter { it.state.takesSeats }.sumOf { it.seats.count }
    private val view get() = LedgerView(capacity - taken, reservations.toMap())

    override suspend fun grant(event: EventId, requests: List<SeatRequest>): List<Answer> = synchronized(this) {
        grantInOrder(view, requests) { (_, key, seats, user) ->
            Reservation(UUID.randomUUID(), event, key, seats, ReservationState.HELD, Instant.MAX, user)
                .also { reservations[key] = it }
        }
    }

    override suspend fun read(event: EventId, requests: List<SeatRequest>): LedgerView = synchronized(this) { view }

    fun release(key: Int): Boolean = synchronized(this) {
        val held = reservations[keyOf(key)]?.takeIf { it.state == ReservationState.HELD } ?: return false
        reservations[held.key] = held.copy(state = ReservationState.RELEASED)
        true
    }
}

/** A gate whose calls are atomic. */
internal class InstantGate : SeatGate {
    private val counts = HashMap<EventId, Int>() // guarded by this

    override suspend fun enter(event: EventId, seats: Int): GateDecision = synchronized(this) {
        val left = counts[event] ?: return GateDecision.NOT_KNOWN
        if (left < seats) return GateDecision.TOO_FEW
        counts[event] = left - seats
        GateDecision.IN
    }

    override suspend fun giveBack(event: EventId, seats: Int): Unit = synchronized(this) {
        counts.computeIfPresent(event) { _, left -> left + seats }
    }

    override suspend fun correct(event: EventId, remaining: Int): Unit = synchronized(this) {
        counts[event] = remaining
    }
}

internal fun request(key: Int, seats: Int) = SeatRequest(EventId(1), keyOf(key), Seats.of(seats.toLong())!!)

internal fun describe(answer: Answer): String = when (answer) {
    is Answer.Granted -> if (answer.isRepeat) AGAIN else GRANTED
    is Answer.TooFewSeats -> TOO_FEW
    Answer.KeyTaken -> TAKEN
    else -> "$answer"
}

private fun keyOf(key: Int) = IdempotencyKey.of("k$key")!!
