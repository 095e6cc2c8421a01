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
import threadgauge.tickets.sale.EventServiceBusy
import threadgauge.tickets.sale.EventServiceTimeout
import threadgauge.tickets.sale.SharedStoreUnavailable
import tools.jackson.core.JacksonException
import tools.jackson.databind.DatabindException
import java.net.URI
import java.sql.SQLException
import kotlin.math.ceil
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
        if (retryAfter != null) answer.header(HttpHeaders.RETRY_AFTER, "${ceil(retryAfter / 1.seconds).toLong()}")
        return answer.body(body)
    }
}

/** Turns whatever goes wrong into a problem. What is not the callers' fault is logged, and told without its inside. */
@RestControllerAdvice
class Problems {
    @ExceptionHandler
    fun answer(failed: Exception, request: ServerHttpRequest): ResponseEntity<Any> =
        answer(failed, request.method.name(), request.path.value(), requestIdOf(request.headers.getFirst(REQUEST_ID)))

    /** The same for a request that the framework never saw, which may have a [name]. */
    fun answer(failed: Exception, method: String, path: String, name: String?): ResponseEntity<Any> = when {
        failed.causes().any { it is DataBufferLimitException } -> Problem.TOO_LARGE.answer("A body has at most $MAX_BODY.")
        failed is AbortedException || AbortedException.isConnectionReset(failed) -> Problem.TOO_SLOW.answer(GONE)
        failed is EventServiceBusy -> Problem.BUSY.answer("Nothing was done. Ask again after the time in Retry-After.", failed.retryAfter)
        failed is InvalidRequest -> Problem.NOT_VALID.answer(failed.message!!)
        failed is JacksonException || failed is ErrorResponse && failed.statusCode == HttpStatus.BAD_REQUEST -> notReadable(failed, path)
        failed is ErrorResponse && failed.statusCode.is4xxClientError -> problemOf(failed)
        else -> internalFailure(failed, method, path, name ?: newRequestId())
    }

    /**
     * The answer and the line in the log have the same name of the request, so that who has the one finds the other. Books that are away
     * are told of by everybody who wants something of them, in a line each; where in the code that was found out is of no interest.
     */
    private fun internalFailure(failed: Exception, method: String, path: String, id: String): ResponseEntity<Any> {
        if (failed is SQLException || failed is SharedStoreUnavailable || failed is EventServiceTimeout || failed is OutcomeUnknown) {
            LOG.atWarn().addKeyValue("http.request.id", id).log("{} {} failed, request {}: {}", method, path, id, failed.message)
        } else {
            LOG.atError().addKeyValue("http.request.id", id).setCause(failed).log("{} {} failed, request {}", method, path, id)
        }
        val told = "The books do not answer. ${ADVICE[method to path] ?: if (isReserving(method, path)) WITH_KEY else AGAIN}"
        val answer = Problem.UNKNOWN.answer(told, RETRY, "request" to id)
        return ResponseEntity.status(answer.statusCode).headers(answer.headers).header(REQUEST_ID, id).body(answer.body)
    }

    private fun isReserving(method: String, path: String) = method == "POST" && (path.endsWith("/reservations") || path == "/reservation")

    /** Names what is of the wrong kind, where that can be told, and shows a body that would do. */
    private fun notReadable(failed: Exception, path: String): ResponseEntity<Any> {
        val wrong = failed.causes().filterIsInstance<DatabindException>().firstNotNullOfOrNull { it.path.lastOrNull()?.propertyName }
        val kind = wrong?.let { "$it is of another kind. " }.orEmpty()
        return Problem.NOT_VALID.answer("${kind}The body must be JSON such as ${EXAMPLES[path] ?: RESERVE_EXAMPLE}.")
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

        /** Nobody hears it. */
        const val GONE = "The connection ended before the request did."
        val RETRY = 1.seconds
        const val WITH_KEY = "Ask again with the same Idempotency-Key: nothing is sold twice."
        const val AGAIN = "Ask again: twice is as good as once."
        val ADVICE = mapOf(("POST" to "/events") to "Look at GET /events before you ask again: the event may be there.")
        const val RESERVE_EXAMPLE = """{"quantity": 2}"""
        val EXAMPLES = mapOf(
            "/events" to """{"name": "Noon", "capacity": 500, "holdSeconds": 120}""",
            "/reservation" to """{"number": 2}""",
        )
        val LOG = LoggerFactory.getLogger(Problems::class.java)!!
    }
}

/** Those who sell have tried for as long as they were told to, and cannot say whether anything was sold. */
class OutcomeUnknown : RuntimeException("the books did not answer in time", null, false, false)

/** What the caller sent is not what the API takes; the message says what is wrong and what would be right. */
class InvalidRequest(message: String) : RuntimeException(message, null, false, false)
