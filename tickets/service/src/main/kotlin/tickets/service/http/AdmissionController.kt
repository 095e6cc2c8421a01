package threadgauge.tickets.service.http

import org.springframework.context.event.ContextClosedEvent
import org.springframework.context.event.EventListener
import org.springframework.http.ResponseEntity
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.RestController
import threadgauge.tickets.room.Admission
import threadgauge.tickets.room.WaitingRoom
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.service.Settings
import java.time.Instant
import java.time.InstantSource
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** A caller's turn. The [token] is sent with the wish as the header `Admission`, [waitMillis] from now or later. */
data class AdmissionBody(val at: Instant, val waitMillis: Long, val token: String)

/**
 * The door of the sale: open to all, or to those alone whose turn it is. When the service ends it is shut before the web server looks who
 * is still to be answered: a request that came later on a connection of theirs would be granted seats, and its answer cut off.
 */
@Component
class AdmissionControl(settings: Settings) {
    @Volatile
    private var isShut = false

    private val room = settings.admission.settings?.let { WaitingRoom(it, InstantSource.system()) }

    /** Null where the door is open to all. */
    fun room(): WaitingRoom? = room

    /** What a caller without a right to enter is told; null for one who has it. */
    fun rejection(token: String?, event: EventId, key: IdempotencyKey): ResponseEntity<Any>? {
        if (isShut) return Problem.BUSY.answer("This service is about to end. Ask again: another one answers.", 1.seconds)
        val room = room ?: return null
        return when (val admission = token?.let { room.check(it, event, key) }) {
            Admission.Admitted -> null
            is Admission.TooEarly -> Problem.TOO_EARLY.answer("It is not your turn yet.", admission.wait)
            Admission.Expired -> Problem.NOT_ADMITTED.answer("Your turn is over. $HOW")
            Admission.Invalid -> Problem.NOT_ADMITTED.answer("The header Admission is not a token for this event and Idempotency-Key. $HOW")
            null -> Problem.NOT_ADMITTED.answer("The header Admission is missing. $HOW")
        }
    }

    /** The framework tells this before it stops anything. */
    @EventListener(ContextClosedEvent::class)
    fun shut() {
        isShut = true
    }

    private companion object {
        const val HOW = "Get a turn by POST /events/{id}/admissions, with the Idempotency-Key that you will reserve with."
    }
}

/** Turns, where the sale lets callers in one by one. */
@RestController
class AdmissionController(private val admission: AdmissionControl, private val events: KnownEvents) {
    @PostMapping("/events/{event}/admissions")
    suspend fun admit(
        @PathVariable event: String,
        @RequestHeader("Idempotency-Key", required = false) key: String?,
    ): ResponseEntity<Any> {
        val wish = keyOf(key)
        val known = events.find(event) ?: return noSuchEvent(event)
        val room = admission.room() ?: return ResponseEntity.ok(AdmissionBody(Instant.now(), 0, "open"))
        val slot = room.slotFor(known, wish) ?: return Problem.BUSY.answer("Too many wait for their turn.", COME_BACK)
        return ResponseEntity.ok(AdmissionBody(slot.at, ceil(slot.wait / 1.milliseconds).toLong(), slot.token))
    }

    private companion object {
        val COME_BACK: Duration = 60.seconds
    }
}
