package threadgauge.tickets.service.http

import kotlinx.coroutines.withTimeoutOrNull
import org.springframework.http.ResponseEntity
import threadgauge.tickets.service.Settings
import kotlin.time.toKotlinDuration

/**
 * Bounds what takes several steps, each of which has a bound of its own, by what one of them may take at most: twice the patience. Whoever
 * is not answered by then is told that nobody knows; what goes on for him may still be done.
 */
internal suspend fun withDeadline(settings: Settings, answer: suspend () -> ResponseEntity<Any>): ResponseEntity<Any> =
    withTimeoutOrNull(settings.queue.timeout.toKotlinDuration() * 2) { answer() } ?: throw OutcomeUnknown()
