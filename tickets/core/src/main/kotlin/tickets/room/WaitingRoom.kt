package threadgauge.tickets.room

import java.security.MessageDigest
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
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey

/**
 * Admits clients at a rate that the sale can serve, first come, first served. A client gets a time slot at once: the
 * next free moment of its event, and a signed token for it. If fewer clients come than the rate allows, the slot is
 * now.
 *
 * The token alone proves the slot, so any service with the same secret accepts it. It is valid for one event and key,
 * so it cannot be used for other requests.
 *
 * A retry with the same key, after a lost answer, gets the same slot. This works for the last
 * [WaitingRoomSettings.maxRemembered] clients of the service, so memory is bounded however many come.
 *
 * Thread-safe. Clocks of services that share a secret must agree as closely as slots are to be kept.
 */
class WaitingRoom(private val settings: WaitingRoomSettings, private val clock: InstantSource) {
    private val secret = SecretKeySpec(settings.secret.toByteArray(), ALGORITHM)
    private val spacingMicros: Long = (1.0e6 / settings.ratePerSecond).toLong().coerceAtLeast(1)

    /** The last slot of each event, in microseconds since the epoch. Never shrinks. Guarded by itself. */
    private val lastSlots = HashMap<EventId, Long>()

    /** The last slots that were given, by event and key. Guarded by [lastSlots]. */
    private val assigned = object : LinkedHashMap<SlotKey, Long>() {
        override fun removeEldestEntry(eldest: Map.Entry<SlotKey, Long>) = size > settings.maxRemembered
    }

    /** A slot for the request with [key]; null if it would be later than [WaitingRoomSettings.maxWait] from now. */
    fun slotFor(event: EventId, key: IdempotencyKey): TimeSlot? {
        val now = micros(clock.instant())
        val slot = synchronized(lastSlots) { slot(SlotKey(event, key), now) } ?: return null
        return TimeSlot(instant(slot), (slot - now).coerceAtLeast(0).microseconds, signed(slot, event, key))
    }

    private fun slot(slotKey: SlotKey, now: Long): Long? {
        assigned[slotKey]?.let { if (now < it + settings.validity.inWholeMicroseconds) return it }
        val slot = maxOf(now, lastSlots.getOrDefault(slotKey.event, 0) + spacingMicros)
        if (slot > now + settings.maxWait.inWholeMicroseconds) return null
        lastSlots[slotKey.event] = slot
        assigned[slotKey] = slot
        return slot
    }

    /** Whether [token] admits the request with this [event] and [key] now. */
    fun check(token: String, event: EventId, key: IdempotencyKey): Admission {
        val slot = token.substringBefore('.').toLongOrNull() ?: return Admission.Invalid
        val expected = signed(slot, event, key)
        // In constant time, so that the time does not reveal how many characters match.
        if (!MessageDigest.isEqual(token.toByteArray(), expected.toByteArray())) return Admission.Invalid
        val now = clock.instant()
        val at = instant(slot)
        return when {
            now < at -> Admission.TooEarly(java.time.Duration.between(now, at).toKotlinDuration())
            now >= at + settings.validity.toJavaDuration() -> Admission.Expired
            else -> Admission.Admitted
        }
    }

    private fun signed(slot: Long, event: EventId, key: IdempotencyKey): String {
        // A Mac has state, so each call needs its own. Slot and event contain no blank, so the text is unambiguous.
        val mac = Mac.getInstance(ALGORITHM).apply { init(secret) }
        val signature = mac.doFinal("$slot $event $key".toByteArray())
        return "$slot." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature)
    }

    private fun micros(instant: Instant) = instant.epochSecond * MICROS + instant.nano / 1_000

    private fun instant(micros: Long): Instant =
        Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000)

    private data class SlotKey(val event: EventId, val key: IdempotencyKey)

    private companion object {
        /** RFC 2104, with SHA-256. */
        const val ALGORITHM = "HmacSHA256"
        const val MICROS = 1_000_000L
    }
}

/** Settings of a [WaitingRoom]. */
data class WaitingRoomSettings(
    /** Clients that one service admits per second for one event; more than 0, up to a million. */
    val ratePerSecond: Double,
    /** Signs tokens. The same for all services that sell the same events; at least 16 characters. */
    val secret: String,
    /** A client whose slot would be later than this is rejected. */
    val maxWait: Duration = 30.minutes,
    /** How long a slot lasts. */
    val validity: Duration = 2.minutes,
    /** Slots that are remembered for retries; some 20 MB. */
    val maxRemembered: Int = 100_000,
) {
    init {
        require(ratePerSecond > 0 && ratePerSecond <= MAX_RATE) {
            "the rate of a waiting room must be more than 0 and at most $MAX_RATE per second, not $ratePerSecond"
        }
        require(secret.length >= MIN_SECRET_LENGTH) {
            "the secret of a waiting room must have $MIN_SECRET_LENGTH characters or more, or it could be guessed"
        }
    }

    override fun toString() = "WaitingRoomSettings($ratePerSecond/s)"

    private companion object {
        const val MAX_RATE = 1e6
        const val MIN_SECRET_LENGTH = 16
    }
}

/** A slot that begins at [at], which is [wait] from now. */
data class TimeSlot(val at: Instant, val wait: Duration, val token: String)

/** Result of checking a token. */
sealed interface Admission {
    data object Admitted : Admission

    /** The slot begins in [wait]. */
    data class TooEarly(val wait: Duration) : Admission

    /** The slot is over. */
    data object Expired : Admission

    /** The token was not issued for this event and key. */
    data object Invalid : Admission
}
