package threadgauge.tickets.service.http

import java.net.URI
import java.sql.SQLException
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
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
import threadgauge.tickets.sale.EventServiceBusy
import threadgauge.tickets.sale.EventServiceTimeout
import threadgauge.tickets.sale.SharedStoreUnavailable
import tools.jackson.core.JacksonException
import tools.jackson.core.exc.StreamReadException
import tools.jackson.databind.DatabindException

/** All error responses, as problem documents (RFC 9457). The name of a constant is its published type. */
enum class Problem(val status: HttpStatus, val title: String) {
    NOT_VALID(HttpStatus.BAD_REQUEST, "The request is not valid"),
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    TARGET_TOO_LONG(HttpStatus.URI_TOO_LONG, "The path is too long"),
    HEADERS_TOO_LARGE(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large"),
    TOO_SLOW(HttpStatus.REQUEST_TIMEOUT, "The request took too long to arrive"),
    NOT_ALLOWED(HttpStatus.UNAUTHORIZED, "The admin token is required"),
    NOT_ADMITTED(HttpStatus.FORBIDDEN, "A time slot is required"),
    NO_SUCH_EVENT(HttpStatus.NOT_FOUND, "There is no such event"),
    NO_SUCH_RESERVATION(HttpStatus.NOT_FOUND, "There is no such reservation"),
    TOO_FEW_SEATS(HttpStatus.CONFLICT, "Too few seats are left"),
    OVER(HttpStatus.CONFLICT, "The reservation has ended in another way"),
    KEY_TAKEN(HttpStatus.UNPROCESSABLE_CONTENT, "The Idempotency-Key belongs to another request"),
    BUSY(HttpStatus.SERVICE_UNAVAILABLE, "The queue is full"),
    TOO_EARLY(HttpStatus.SERVICE_UNAVAILABLE, "The time slot has not begun"),
    UNKNOWN(HttpStatus.SERVICE_UNAVAILABLE, "The outcome is unknown"),
    ;

    private val type = URI("/problems/${name.lowercase().replace('_', '-')}")

    /** [detail] is what was wrong with this request. [retryAfter] is rounded up to whole seconds, as HTTP requires. */
    fun answer(detail: String, retryAfter: Duration? = null, vararg more: Pair<String, Any>): ResponseEntity<Any> {
        val body = ProblemDetail.forStatusAndDetail(status, detail)
        body.title = title
        body.type = type
        more.forEach { (name, value) -> body.setProperty(name, value) }
        val answer = ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON)
        if (retryAfter != null) answer.header(HttpHeaders.RETRY_AFTER, "${ceil(retryAfter / 1.seconds).toLong()}")
        return answer.body(body)
    }
}

/** Maps every exception to a problem. Failures of the service are logged, and answered without internal details. */
@RestControllerAdvice
class Problems {
    @ExceptionHandler
    fun answer(failed: Exception, request: ServerHttpRequest): ResponseEntity<Any> =
        answer(failed, request.method.name(), request.path.value(), requestIdOf(request.headers.getFirst(REQUEST_ID)))

    /** The same for a request that did not pass through the framework. [id] is its X-Request-Id, if it has one. */
    fun answer(failed: Exception, method: String, path: String, id: String?): ResponseEntity<Any> = when {
        failed.causes().any { it is DataBufferLimitException } ->
            Problem.TOO_LARGE.answer("A body has at most $MAX_BODY.")
        failed is AbortedException || AbortedException.isConnectionReset(failed) -> Problem.TOO_SLOW.answer(GONE)
        failed is EventServiceBusy ->
            Problem.BUSY.answer("Nothing was done. Retry after the time in Retry-After.", failed.retryAfter)
        failed is InvalidRequest -> Problem.NOT_VALID.answer(failed.message!!)
        failed is JacksonException || failed is ErrorResponse && failed.statusCode == HttpStatus.BAD_REQUEST ->
            unreadable(failed, path)
        failed is ErrorResponse && failed.statusCode.is4xxClientError -> problemOf(failed)
        else -> internalFailure(failed, method, path, id ?: newRequestId())
    }

    /**
     * Answers and logs with the same request ID, so that one leads to the other. If the ledger or a shared store is
     * down, every request fails in the same way. So it is logged in one line, without a stack trace.
     */
    private fun internalFailure(failed: Exception, method: String, path: String, id: String): ResponseEntity<Any> {
        if (isStoreDown(failed)) {
            LOG.atWarn().addKeyValue("http.request.id", id)
                .log("{} {} failed, request {}: {}", method, path, id, failed.message)
        } else {
            LOG.atError().addKeyValue("http.request.id", id).setCause(failed)
                .log("{} {} failed, request {}", method, path, id)
        }
        val advice = ADVICE[method to path] ?: if (isReserving(method, path)) WITH_KEY else IDEMPOTENT
        val answer = Problem.UNKNOWN.answer("The ledger does not answer. $advice", RETRY, "request" to id)
        return ResponseEntity.status(answer.statusCode).headers(answer.headers).header(REQUEST_ID, id).body(answer.body)
    }

    private fun isStoreDown(failed: Exception) = failed is SQLException || failed is SharedStoreUnavailable ||
        failed is EventServiceTimeout || failed is OutcomeUnknown

    private fun isReserving(method: String, path: String) =
        method == "POST" && (path.endsWith("/reservations") || path == "/reservation")

    /** Names the wrong member if it is known, and gives an example of a valid body. */
    private fun unreadable(failed: Exception, path: String): ResponseEntity<Any> {
        val wrong = failed.causes().filterIsInstance<DatabindException>()
            .firstNotNullOfOrNull { it.path.lastOrNull()?.propertyName }
        val isTwice = failed.causes().any { it is StreamReadException && it.message.orEmpty().startsWith(DUPLICATE) }
        val why = if (isTwice) "A member stands twice. " else wrong?.let { "$it has the wrong type. " }.orEmpty()
        return Problem.NOT_VALID.answer("${why}The body must be JSON such as ${EXAMPLES[path] ?: RESERVE_EXAMPLE}.")
    }

    private fun problemOf(failed: ErrorResponse): ResponseEntity<Any> {
        if (failed.statusCode == HttpStatus.UNSUPPORTED_MEDIA_TYPE) failed.body.detail += " Send application/json."
        return ResponseEntity.status(failed.statusCode).headers(failed.headers)
            .contentType(MediaType.APPLICATION_PROBLEM_JSON).body(failed.body)
    }

    private fun Throwable.causes() = generateSequence(this) { it.cause }.take(MAX_CAUSES)

    private companion object {
        const val MAX_CAUSES = 10
        const val MAX_BODY = "4 kB"

        /** How the parser begins its message about a repeated member. */
        const val DUPLICATE = "Duplicate Object property"

        /** The client has gone, so it does not receive this. */
        const val GONE = "The connection ended before the request did."
        val RETRY = 1.seconds
        const val WITH_KEY = "Retry with the same Idempotency-Key: nothing is sold twice."
        const val IDEMPOTENT = "Retry: a repetition has no further effect."
        val ADVICE = mapOf(("POST" to "/events") to "Check GET /events before you retry: the event may exist.")
        const val RESERVE_EXAMPLE = """{"quantity": 2}"""
        val EXAMPLES = mapOf(
            "/events" to """{"name": "Noon", "capacity": 500, "holdSeconds": 120}""",
            "/reservation" to """{"number": 2}""",
        )
        val LOG = LoggerFactory.getLogger(Problems::class.java)!!
    }
}

/** The ledger did not answer until the deadline, so it is unknown whether seats were sold. */
class OutcomeUnknown : RuntimeException("the ledger did not answer in time", null, false, false)

/** The request is not valid; the message says what is wrong and what would be valid. */
class InvalidRequest(message: String) : RuntimeException(message, null, false, false)
