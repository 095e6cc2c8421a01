package threadgauge.tickets.service.http

import java.security.MessageDigest
import kotlin.time.Duration.Companion.seconds
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
import threadgauge.tickets.sale.Event
import threadgauge.tickets.sale.EventService
import threadgauge.tickets.service.Settings

/** A new event. */
data class OpenBody(val name: String?, val capacity: Long?, val holdSeconds: Long?)

/** An event in the API. */
data class EventBody(
    val id: Long,
    val name: String,
    val capacity: Int,
    val remaining: Int,
    val held: Int,
    val confirmed: Int,
    val holdSeconds: Long,
) {
    constructor(from: Event) : this(
        from.id.number, from.name, from.capacity, from.remaining, from.held, from.confirmed, from.hold.inWholeSeconds,
    )
}

/** Opens events and reads them. */
@RestController
class EventController(private val service: EventService, private val settings: Settings) {
    @PostMapping("/events")
    suspend fun open(
        @RequestHeader(HttpHeaders.AUTHORIZATION, required = false) token: String?,
        @RequestBody sent: Mono<OpenBody>,
    ): ResponseEntity<Any> {
        if (!isAdmin(token)) {
            return Problem.NOT_ALLOWED.answer("Send the header Authorization: Bearer, with the service's admin token.")
        }
        // Read only after authorisation.
        val body = sent.awaitSingle()
        val name = body.name?.takeIf { it.isNotBlank() && it.length <= MAX_NAME_LENGTH && isText(it) }
            ?: throw InvalidRequest("name must have 1 to $MAX_NAME_LENGTH characters and no control characters.")
        val capacity = body.capacity?.takeIf { it in 0..MAX_SEATS }
            ?: throw InvalidRequest("capacity must be a whole number from 0 to $MAX_SEATS.")
        val hold = (body.holdSeconds ?: DEFAULT_HOLD_SECONDS).takeIf { it in 1..MAX_HOLD_SECONDS }
            ?: throw InvalidRequest("holdSeconds must be a whole number from 1 to $MAX_HOLD_SECONDS.")
        val id = service.open(name, capacity.toInt(), hold.seconds)
        // Not read back: if that failed, the client would open another event, although this one exists.
        val opened = Event(id, name, capacity.toInt(), hold.seconds, capacity.toInt(), held = 0, confirmed = 0)
        return ResponseEntity.status(HttpStatus.CREATED).header(HttpHeaders.LOCATION, "/events/$id")
            .body(EventBody(opened))
    }

    @GetMapping("/events")
    suspend fun newest(): List<EventBody> = service.newest(SHOWN).map(::EventBody)

    @GetMapping("/events/{id}")
    suspend fun find(@PathVariable id: String): ResponseEntity<Any> =
        eventIdOf(id)?.let { service.event(it) }?.let { ResponseEntity.ok(EventBody(it)) } ?: noSuchEvent(id)

    /** Databases reject surrogates, and control characters could change a terminal. */
    private fun isText(name: String) = name.codePoints().noneMatch {
        Character.isISOControl(it) || Character.getType(it) == Character.SURROGATE.toInt()
    }

    /**
     * The scheme ignores case (RFC 9110, section 11.1), and any number of spaces follows it. The token is compared in
     * constant time, so that the time does not reveal how many characters match.
     */
    private fun isAdmin(header: String?): Boolean {
        val token = settings.adminToken?.takeIf { it.isNotEmpty() } ?: return false
        val sent = header?.takeIf { it.startsWith("$SCHEME ", ignoreCase = true) }?.drop(SCHEME.length)?.trimStart(' ')
        return sent != null && MessageDigest.isEqual(sent.encodeToByteArray(), token.encodeToByteArray())
    }

    private companion object {
        const val SCHEME = "Bearer"
        const val SHOWN = 20
        const val MAX_NAME_LENGTH = 200
        const val MAX_SEATS = 10_000_000L
        const val DEFAULT_HOLD_SECONDS = 600L
        const val MAX_HOLD_SECONDS = 7 * 24 * 3_600L
    }
}

internal fun eventIdOf(text: String): EventId? =
    text.toLongOrNull()?.takeIf { it > 0 && "$it" == text }?.let(::EventId)
