package threadgauge.tickets.service.http

import java.util.UUID
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeMark
import kotlin.time.TimeSource
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.RestController
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.rules.IdempotencyKey
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.SaleMetrics
import threadgauge.tickets.service.Settings

/** The body of the published experiment. */
data class PublishedBody(val number: Long?)

/**
 * The one request of the published experiment, so that it can be repeated unchanged: seats of the event opened last,
 * the user in a header, and no key. So a retry is a new request, which is one of the experiment's flaws.
 */
@RestController
class PublishedController(
    private val strategy: Strategy,
    private val service: EventService,
    private val admission: AdmissionControl,
    private val metrics: SaleMetrics,
    private val settings: Settings,
) {
    private class Newest(val event: EventId, val since: TimeMark)

    /** Any request may refresh it. */
    @Volatile
    private var newest: Newest? = null

    @PostMapping("/reservation")
    suspend fun reserve(
        @RequestHeader("userId", required = false) user: String?,
        @RequestHeader("Idempotency-Key", required = false) key: String?,
        @RequestHeader("Admission", required = false) token: String?,
        @RequestBody body: PublishedBody,
    ): ResponseEntity<Any> {
        val seats = seatsOf(body.number, "number")
        if (user == null || user.length !in 1..MAX_USER_LENGTH || user.any { it !in ' '..'~' }) {
            throw InvalidRequest("The header userId is required, with 1 to $MAX_USER_LENGTH ASCII characters.")
        }
        val validKey = key?.let(::keyOf) ?: IdempotencyKey.of("${UUID.randomUUID()}")!!
        return withDeadline(settings) {
            val event = newestEvent() ?: return@withDeadline noSuchEvent("")
            val request = SeatRequest(event, validKey, seats, user)
            admission.rejection(token, event, request.key)
                ?: responseTo(metrics.timed { strategy.reserve(request) }, "$event")
        }
    }

    private suspend fun newestEvent(): EventId? {
        newest?.takeIf { it.since.elapsedNow() < REFRESH_INTERVAL }?.let { return it.event }
        val event = service.newest(1).firstOrNull()?.id ?: return null
        newest = Newest(event, TimeSource.Monotonic.markNow())
        return event
    }

    private companion object {
        const val MAX_USER_LENGTH = 100
        val REFRESH_INTERVAL = 1.seconds
    }
}
