package threadgauge.tickets.service.http

import kotlin.time.toKotlinDuration
import kotlinx.coroutines.withTimeoutOrNull
import org.springframework.http.ResponseEntity
import threadgauge.tickets.service.Settings

/**
 * Limits several steps, each with a timeout of its own, to twice the timeout: the maximum of a single step. Throws
 * [OutcomeUnknown] after that. The steps may still complete.
 */
internal suspend fun withDeadline(settings: Settings, answer: suspend () -> ResponseEntity<Any>): ResponseEntity<Any> =
    withTimeoutOrNull(settings.queue.timeout.toKotlinDuration() * 2) { answer() } ?: throw OutcomeUnknown()
