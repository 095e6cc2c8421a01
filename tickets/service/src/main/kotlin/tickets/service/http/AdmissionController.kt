package threadgauge.tickets.service.http

import java.time.Instant
import java.time.InstantSource
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
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

/** A time slot. The client sends [token] in the header `Admission` of its request, [waitMillis] from now or later. */
data class AdmissionBody(val at: Instant, val waitMillis: Long, val token: String)

/**
 * Decides which requests for seats are admitted: all, or only those with a time slot.
 *
 * During a shutdown it rejects all, before the web server collects the requests that it still has to answer. Otherwise
 * a later request on the same connection would be granted seats, and its answer cut off.
 */
@Component
class AdmissionControl(settings: Settings) {
    @Volatile
    private var isClosed = false

    private val room = settings.admission.settings?.let { WaitingRoom(it, InstantSource.system()) }

    /** Null if all requests are admitted. */
    fun room(): WaitingRoom? = room

    /** The response to a request that is not admitted; null if it is. */
    fun rejection(token: String?, event: EventId, key: IdempotencyKey): ResponseEntity<Any>? {
        if (isClosed) return Problem.BUSY.answer("This service is shutting down. Retry at another one.", 1.seconds)
        val room = room ?: return null
        return when (val admission = token?.let { room.check(it, event, key) }) {
            Admission.Admitted -> null
            is Admission.TooEarly -> Problem.TOO_EARLY.answer("Your time slot has not begun.", admission.wait)
            Admission.Expired -> Problem.NOT_ADMITTED.answer("Your time slot is over. $HINT")
            Admission.Invalid -> Problem.NOT_ADMITTED.answer("$INVALID $HINT")
            null -> Problem.NOT_ADMITTED.answer("The header Admission is missing. $HINT")
        }
    }

    /** The framework publishes this event before it stops anything. */
    @EventListener(ContextClosedEvent::class)
    fun close() {
        isClosed = true
    }

    private companion object {
        const val INVALID = "The header Admission is not a token for this event and Idempotency-Key."
        const val HINT =
            "Get a time slot with POST /events/{id}/admissions and the Idempotency-Key of your reservation."
    }
}

/** Time slots of the waiting room. */
@RestController
class AdmissionController(private val admission: AdmissionControl, private val events: KnownEvents) {
    @PostMapping("/events/{event}/admissions")
    suspend fun admit(
        @PathVariable event: String,
        @RequestHeader("Idempotency-Key", required = false) key: String?,
    ): ResponseEntity<Any> {
        val validKey = keyOf(key)
        val known = events.find(event) ?: return noSuchEvent(event)
        val room = admission.room() ?: return ResponseEntity.ok(AdmissionBody(Instant.now(), 0, "open"))
        val slot = room.slotFor(known, validKey)
            ?: return Problem.BUSY.answer("Too many clients wait for a time slot.", RETRY_AFTER)
        return ResponseEntity.ok(AdmissionBody(slot.at, ceil(slot.wait / 1.milliseconds).toLong(), slot.token))
    }

    private companion object {
        val RETRY_AFTER: Duration = 60.seconds
    }
}
