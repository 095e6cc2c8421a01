package threadgauge.tickets.service.http

import org.slf4j.LoggerFactory
import org.springframework.core.io.buffer.DataBufferLimitException
import org.springframework.http.HttpHeaders
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.http.ProblemDetail
import org.springframework.http.ResponseEntity
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.web.ErrorResponse
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.RestControllerAdvice
import reactor.netty.channel.AbortedException
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Every answer that is no success: a name that programs can go by, and a sentence for people (RFC 9457). */
enum class Problem(val status: HttpStatus, val title: String) {
    NOT_VALID(HttpStatus.BAD_REQUEST, "The request cannot be understood"),
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    TARGET_TOO_LONG(HttpStatus.URI_TOO_LONG, "The path is too long"),
    HEADERS_TOO_LARGE(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large"),
    TOO_SLOW(HttpStatus.REQUEST_TIMEOUT, "The request took too long to come"),
    NOT_ALLOWED(HttpStatus.UNAUTHORIZED, "Only who holds the admin token may do this"),
    NOT_ADMITTED(HttpStatus.FORBIDDEN, "Only those whose turn it is may do this"),
    NO_SUCH_EVENT(HttpStatus.NOT_FOUND, "There is no such event"),
    NO_SUCH_RESERVATION(HttpStatus.NOT_FOUND, "There is no such reservation"),
    TOO_FEW_SEATS(HttpStatus.CONFLICT, "Not so many seats are left"),
    OVER(HttpStatus.CONFLICT, "The reservation has ended in another way"),
    KEY_TAKEN(HttpStatus.UNPROCESSABLE_CONTENT, "The Idempotency-Key belongs to another request"),
    BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many wait already"),
    TOO_EARLY(HttpStatus.SERVICE_UNAVAILABLE, "The turn comes later"),
    UNKNOWN(HttpStatus.SERVICE_UNAVAILABLE, "Nobody knows whether this was done"),
    ;

    private val type = URI("/problems/${name.lowercase().replace('_', '-')}")

    /** [detail] says what was wrong this time; [retryAfter] is rounded up to whole seconds, as HTTP has them. */
    fun answer(detail: String, retryAfter: Duration? = null, vararg more: Pair<String, Any>): ResponseEntity<Any> {
        val body = ProblemDetail.forStatusAndDetail(status, detail)
        body.title = title
        body.type = type
        more.forEach { (name, value) -> body.setProperty(name, value) }
        val answer = ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON)
        if (retryAfter != null) answer.header(HttpHeaders.RETRY_AFTER, "${(retryAfter.inWholeMilliseconds + 999) / 1_000}")
        return answer.body(body)
    }
}

/** Turns whatever goes wrong into a problem. What is not the callers' fault is logged, and told without its inside. */
@RestControllerAdvice
class Problems {
    @ExceptionHandler
    fun answer(failed: Exception, request: ServerHttpRequest): ResponseEntity<Any> =
        answer(failed, request.method.name(), request.path.value())

    /** The same for a request that the framework never saw. */
    fun answer(failed: Exception, method: String, path: String): ResponseEntity<Any> = when {
        failed.causes().any { it is DataBufferLimitException } -> Problem.TOO_LARGE.answer("A body has at most $LARGEST.")
        failed is AbortedException || AbortedException.isConnectionReset(failed) -> Problem.TOO_SLOW.answer(GONE)
        failed is NotValid -> Problem.NOT_VALID.answer(failed.message!!)
        failed is ErrorResponse && failed.statusCode.is4xxClientError -> problemOf(failed)
        else -> {
            LOG.error("{} {} failed", method, path, failed)
            Problem.UNKNOWN.answer("The books cannot be reached. Ask again with the same Idempotency-Key: nothing is sold twice.", RETRY)
        }
    }

    private fun problemOf(failed: ErrorResponse): ResponseEntity<Any> {
        if (failed.statusCode == HttpStatus.BAD_REQUEST) return Problem.NOT_VALID.answer(NOT_READABLE)
        return ResponseEntity.status(failed.statusCode).headers(failed.headers)
            .contentType(MediaType.APPLICATION_PROBLEM_JSON).body(failed.body)
    }

    private fun Throwable.causes() = generateSequence(this) { it.cause }.take(MOST_CAUSES)

    private companion object {
        const val MOST_CAUSES = 10
        const val LARGEST = "4 kB"

        /** Nobody hears it. */
        const val GONE = "The connection ended before the request did."
        val RETRY = 1.seconds
        val LOG = LoggerFactory.getLogger(Problems::class.java)!!
    }
}

/** What the caller sent is not what the API takes; the message says what is wrong and what would be right. */
class NotValid(message: String) : RuntimeException(message, null, false, false)

internal const val NOT_READABLE = "The body must be JSON such as {\"quantity\": 2}."
