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
 * last [RoomSettings.remembered] who came to this service; so a crowd of any size costs bounded memory.
 *
 * Where fewer come than the rate, everybody's turn is now. A token is for one wish, by its key, so it cannot be handed around for others.
 * Any thread may call. Clocks of services that share a secret must agree as far as callers are to be let in on time.
 */
class WaitingRoom(private val settings: RoomSettings, private val clock: InstantSource) {
    private val secret = SecretKeySpec(settings.secret.toByteArray(), ALGORITHM)
    private val spacing: Long = (1.0e6 / settings.perSecond).toLong().coerceAtLeast(1)

    /** The turn that was given last, in microseconds of the epoch. Each event that was ever asked for keeps its. Guarded by itself. */
    private val lastTurns = HashMap<EventId, Long>()

    /** Who came last, and their turns. Guarded by [lastTurns]. */
    private val given = object : LinkedHashMap<Wish, Long>() {
        override fun removeEldestEntry(eldest: Map.Entry<Wish, Long>) = size > settings.remembered
    }

    /** A turn of [event] for the wish with [key]; null where so many wait that it would come later than [RoomSettings.longest] from now. */
    fun place(event: EventId, key: IdempotencyKey): Place? {
        val now = micros(clock.instant())
        val turn = synchronized(lastTurns) { turn(Wish(event, key), now) } ?: return null
        return Place(instant(turn), (turn - now).coerceAtLeast(0).microseconds, signed(turn, event, key))
    }

    private fun turn(wish: Wish, now: Long): Long? {
        given[wish]?.let { if (now < it + settings.valid.inWholeMicroseconds) return it }
        val turn = maxOf(now, lastTurns.getOrDefault(wish.event, 0) + spacing)
        if (turn > now + settings.longest.inWholeMicroseconds) return null
        lastTurns[wish.event] = turn
        given[wish] = turn
        return turn
    }

    /** What [token] is worth now, for that wish. */
    fun check(token: String, event: EventId, key: IdempotencyKey): Admission {
        val turn = token.substringBefore('.').toLongOrNull() ?: return Admission.NotOurs
        // Compared in a time that does not tell how much of it was right.
        if (!java.security.MessageDigest.isEqual(token.toByteArray(), signed(turn, event, key).toByteArray())) return Admission.NotOurs
        val now = clock.instant()
        val at = instant(turn)
        return when {
            now < at -> Admission.TooEarly(java.time.Duration.between(now, at).toKotlinDuration())
            now >= at + settings.valid.toJavaDuration() -> Admission.TooLate
            else -> Admission.In
        }
    }

    private fun signed(turn: Long, event: EventId, key: IdempotencyKey): String {
        // A Mac has a state, so each call has its own. A number has no blank, so nothing can be moved from one part to the next.
        val mac = Mac.getInstance(ALGORITHM).apply { init(secret) }
        val signature = mac.doFinal("$turn $event $key".toByteArray())
        return "$turn." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature)
    }

    private fun micros(instant: Instant) = instant.epochSecond * MICROS + instant.nano / 1_000

    private fun instant(micros: Long): Instant = Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000)

    private data class Wish(val event: EventId, val key: IdempotencyKey)

    private companion object {
        /** RFC 2104, with SHA-256. */
        const val ALGORITHM = "HmacSHA256"
        const val MICROS = 1_000_000L
    }
}

/** How a [WaitingRoom] lets in. */
data class RoomSettings(
    /** Callers let in by one service for one event. */
    val perSecond: Double,
    /** Shared by all services that sell the same events. */
    val secret: String,
    /** Whoever would wait for longer is sent away at once. */
    val longest: Duration = 30.minutes,
    /** How long a turn lasts. */
    val valid: Duration = 2.minutes,
    /** Turns that are given once more to who asks again; some twenty megabytes. */
    val remembered: Int = 100_000,
) {
    init {
        require(perSecond > 0 && perSecond <= MOST) { "a waiting room lets in 0 to $MOST per second, and more than 0; not $perSecond" }
        require(secret.length >= SHORTEST) { "the secret of a waiting room must have $SHORTEST characters or more, or it could be guessed" }
    }

    override fun toString() = "RoomSettings($perSecond/s)"

    private companion object {
        const val MOST = 1e6
        const val SHORTEST = 16
    }
}

/** A turn: at [at], which is [wait] from now. */
data class Place(val at: Instant, val wait: Duration, val token: String)

/** What a token is worth. */
sealed interface Admission {
    data object In : Admission

    /** The turn comes after [wait]. */
    data class TooEarly(val wait: Duration) : Admission

    /** The turn is over. */
    data object TooLate : Admission

    /** It was not given by us for this wish. */
    data object NotOurs : Admission
}
