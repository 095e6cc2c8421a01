package threadgauge.tickets.room

import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import java.time.Instant
import java.time.InstantSource
import java.util.Base64
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration

/**
 * Lets callers in at a rate that the sale can serve, in the order in which they came. Whoever comes gets a turn at once: the next free
 * moment of his event, and a signed token that says so. The token is all that is needed of him later, so a service that has the same secret
 * knows it, too. Who asks again with the same key, because he never heard the answer, gets the same turn again, as long as he is among the
 * last [WaitingRoomSettings.maxRemembered] who came to this service; so a crowd of any size costs bounded memory.
 *
 * Where fewer come than the rate, everybody's turn is now. A token is for one wish, by its key, so it cannot be handed around for others.
 * Any thread may call. Clocks of services that share a secret must agree as far as callers are to be let in on time.
 */
class WaitingRoom(private val settings: WaitingRoomSettings, private val clock: InstantSource) {
    private val secret = SecretKeySpec(settings.secret.toByteArray(), ALGORITHM)
    private val spacing: Long = (1.0e6 / settings.ratePerSecond).toLong().coerceAtLeast(1)

    /** The turn that was given last, in microseconds of the epoch. Each event that was ever asked for keeps its. Guarded by itself. */
    private val lastSlots = HashMap<EventId, Long>()

    /** Who came last, and their turns. Guarded by [lastSlots]. */
    private val assigned = object : LinkedHashMap<SlotKey, Long>() {
        override fun removeEldestEntry(eldest: Map.Entry<SlotKey, Long>) = size > settings.maxRemembered
    }

    /** A turn of [event] for the wish with [key]; null where so many wait that it would come later than [WaitingRoomSettings.maxWait] from now. */
    fun slotFor(event: EventId, key: IdempotencyKey): TimeSlot? {
        val now = micros(clock.instant())
        val slot = synchronized(lastSlots) { slot(SlotKey(event, key), now) } ?: return null
        return TimeSlot(instant(slot), (slot - now).coerceAtLeast(0).microseconds, signed(slot, event, key))
    }

    private fun slot(slotKey: SlotKey, now: Long): Long? {
        assigned[slotKey]?.let { if (now < it + settings.validity.inWholeMicroseconds) return it }
        val slot = maxOf(now, lastSlots.getOrDefault(slotKey.event, 0) + spacing)
        if (slot > now + settings.maxWait.inWholeMicroseconds) return null
        lastSlots[slotKey.event] = slot
        assigned[slotKey] = slot
        return slot
    }

    /** What [token] is worth now, for that wish. */
    fun check(token: String, event: EventId, key: IdempotencyKey): Admission {
        val slot = token.substringBefore('.').toLongOrNull() ?: return Admission.Invalid
        // Compared in a time that does not tell how much of it was right.
        if (!java.security.MessageDigest.isEqual(token.toByteArray(), signed(slot, event, key).toByteArray())) return Admission.Invalid
        val now = clock.instant()
        val at = instant(slot)
        return when {
            now < at -> Admission.TooEarly(java.time.Duration.between(now, at).toKotlinDuration())
            now >= at + settings.validity.toJavaDuration() -> Admission.Expired
            else -> Admission.Admitted
        }
    }

    private fun signed(slot: Long, event: EventId, key: IdempotencyKey): String {
        // A Mac has a state, so each call has its own. A number has no blank, so nothing can be moved from one part to the next.
        val mac = Mac.getInstance(ALGORITHM).apply { init(secret) }
        val signature = mac.doFinal("$slot $event $key".toByteArray())
        return "$slot." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature)
    }

    private fun micros(instant: Instant) = instant.epochSecond * MICROS + instant.nano / 1_000

    private fun instant(micros: Long): Instant = Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000)

    private data class SlotKey(val event: EventId, val key: IdempotencyKey)

    private companion object {
        /** RFC 2104, with SHA-256. */
        const val ALGORITHM = "HmacSHA256"
        const val MICROS = 1_000_000L
    }
}

/** How a [WaitingRoom] lets in. */
data class WaitingRoomSettings(
    /** Callers let in by one service for one event. */
    val ratePerSecond: Double,
    /** Shared by all services that sell the same events. */
    val secret: String,
    /** Whoever would wait for longer is sent away at once. */
    val maxWait: Duration = 30.minutes,
    /** How long a turn lasts. */
    val validity: Duration = 2.minutes,
    /** Turns that are given once more to who asks again; some twenty megabytes. */
    val maxRemembered: Int = 100_000,
) {
    init {
        require(ratePerSecond > 0 && ratePerSecond <= MAX_RATE) { "a waiting room lets in 0 to $MAX_RATE per second, and more than 0; not $ratePerSecond" }
        require(secret.length >= MIN_SECRET_LENGTH) { "the secret of a waiting room must have $MIN_SECRET_LENGTH characters or more, or it could be guessed" }
    }

    override fun toString() = "RoomSettings($ratePerSecond/s)"

    private companion object {
        const val MAX_RATE = 1e6
        const val MIN_SECRET_LENGTH = 16
    }
}

/** A turn: at [at], which is [wait] from now. */
data class TimeSlot(val at: Instant, val wait: Duration, val token: String)

/** What a token is worth. */
sealed interface Admission {
    data object Admitted : Admission

    /** The turn comes after [wait]. */
    data class TooEarly(val wait: Duration) : Admission

    /** The turn is over. */
    data object Expired : Admission

    /** It was not given by us for this wish. */
    data object Invalid : Admission
}
