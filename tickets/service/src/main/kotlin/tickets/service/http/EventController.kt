package threadgauge.tickets.service.http

import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.http.HttpHeaders
import org.springframework.http.HttpStatus
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import threadgauge.tickets.rules.EventId
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.sale.Event
import threadgauge.tickets.service.Settings
import java.security.MessageDigest
import kotlin.time.Duration.Companion.seconds

/** What is to be sold. */
data class OpenBody(val name: String?, val capacity: Long?, val holdSeconds: Long?)

/** An event as callers see it. */
data class EventBody(
    val id: Long,
    val name: String,
    val capacity: Int,
    val remaining: Int,
    val held: Int,
    val confirmed: Int,
    val holdSeconds: Long,
) {
    constructor(from: Event) :
        this(from.id.number, from.name, from.capacity, from.remaining, from.held, from.confirmed, from.hold.inWholeSeconds)
}

/** Opening a sale, and looking at it. */
@RestController
class EventController(private val service: EventService, private val settings: Settings) {
    @PostMapping("/events")
    suspend fun open(
        @RequestHeader(HttpHeaders.AUTHORIZATION, required = false) token: String?,
        @RequestBody sent: Mono<OpenBody>,
    ): ResponseEntity<Any> {
        if (!isAdmin(token)) return Problem.NOT_ALLOWED.answer("Send the header Authorization: Bearer, with the service's admin token.")
        // Read when it is known who asks.
        val body = sent.awaitSingle()
        val name = body.name?.takeIf { it.isNotBlank() && it.length <= MAX_NAME_LENGTH && isText(it) }
            ?: throw InvalidRequest("name must be a text of 1 to $MAX_NAME_LENGTH characters, without control characters.")
        val capacity = body.capacity?.takeIf { it in 0..MAX_SEATS }
            ?: throw InvalidRequest("capacity must be a whole number from 0 to $MAX_SEATS.")
        val hold = (body.holdSeconds ?: DEFAULT_HOLD_SECONDS).takeIf { it in 1..MAX_HOLD_SECONDS }
            ?: throw InvalidRequest("holdSeconds must be a whole number from 1 to $MAX_HOLD_SECONDS.")
        val id = service.open(name, capacity.toInt(), hold.seconds)
        // Not looked at: it is open now, and whoever were told that nobody could say how it is would open another.
        val opened = EventBody(Event(id, name, capacity.toInt(), hold.seconds, capacity.toInt(), held = 0, confirmed = 0))
        return ResponseEntity.status(HttpStatus.CREATED).header(HttpHeaders.LOCATION, "/events/$id").body(opened)
    }

    @GetMapping("/events")
    suspend fun newest(): List<EventBody> = service.newest(SHOWN).map(::EventBody)

    @GetMapping("/events/{id}")
    suspend fun find(@PathVariable id: String): ResponseEntity<Any> =
        eventIdOf(id)?.let { service.event(it) }?.let { ResponseEntity.ok(EventBody(it)) } ?: noSuchEvent(id)

    /** Databases refuse what is no character, and no name has a use for what steers a terminal. */
    private fun isText(name: String) = name.codePoints().noneMatch {
        Character.isISOControl(it) || Character.getType(it) == Character.SURROGATE.toInt()
    }

    /** Compared in a time that does not tell how much of it was right. */
    private fun isAdmin(header: String?): Boolean {
        val token = settings.adminToken?.takeIf { it.isNotEmpty() } ?: return false
        return header != null && MessageDigest.isEqual(header.encodeToByteArray(), "Bearer $token".encodeToByteArray())
    }

    private companion object {
        const val SHOWN = 20
        const val MAX_NAME_LENGTH = 200
        const val MAX_SEATS = 10_000_000L
        const val DEFAULT_HOLD_SECONDS = 600L
        const val MAX_HOLD_SECONDS = 7 * 24 * 3_600L
    }
}

internal fun eventIdOf(text: String): EventId? = text.toLongOrNull()?.takeIf { it > 0 && "$it" == text }?.let(::EventId)
