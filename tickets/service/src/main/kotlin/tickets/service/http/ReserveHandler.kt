package threadgauge.tickets.service.http

import io.netty.buffer.Unpooled
import io.netty.handler.codec.http.DefaultFullHttpResponse
import io.netty.handler.codec.http.DefaultHttpHeaders
import io.netty.handler.codec.http.EmptyHttpHeaders
import io.netty.handler.codec.http.FullHttpResponse
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpHeaders
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http.HttpVersion
import io.netty.handler.codec.http.ReadOnlyHttpHeaders
import io.netty.util.AsciiString
import kotlin.coroutines.cancellation.CancellationException
import org.springframework.core.io.buffer.DataBufferLimitException
import org.springframework.http.HttpMethod
import org.springframework.http.InvalidMediaTypeException
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.stereotype.Component
import org.springframework.web.server.MethodNotAllowedException
import org.springframework.web.server.UnsupportedMediaTypeStatusException
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.SeatRequest
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.SaleMetrics
import threadgauge.tickets.service.Settings
import tools.jackson.databind.json.JsonMapper

/** The number of seats that a client requests. */
class ReserveBody {
    var quantity: Long? = null
}

/** Answers one request for seats. */
internal fun interface Reserving {
    /**
     * [body] is empty if the request has none, and null if it has more than is allowed. The caller owns the response.
     * Never fails, unless it is cancelled.
     */
    suspend fun answer(request: HttpRequest, event: String, body: ByteArray?): FullHttpResponse
}

/**
 * Decides on requests for seats, and renders the responses. Knows nothing of connections: [ReserveConnection] does.
 * Thread-safe.
 */
@Component
internal class ReserveHandler(
    private val strategy: Strategy,
    private val events: KnownEvents,
    private val rehearsal: RehearsalAccess,
    private val admission: AdmissionControl,
    private val metrics: SaleMetrics,
    private val problems: Problems,
    private val settings: Settings,
    private val json: JsonMapper,
) : Reserving {
    private val bodies = json.readerFor(ReserveBody::class.java)

    /** The most frequent response, rendered once. */
    private val soldOut = responseTo(Answer.TooFewSeats(0), "")
    private val soldOutBytes = json.writeValueAsBytes(soldOut.body)
    private val soldOutHeaders: HttpHeaders = ReadOnlyHttpHeaders(
        true, HttpHeaderNames.CONTENT_TYPE, AsciiString.cached(MediaType.APPLICATION_PROBLEM_JSON_VALUE),
        HttpHeaderNames.CONTENT_LENGTH, AsciiString.cached("${soldOutBytes.size}"),
    )

    override suspend fun answer(request: HttpRequest, event: String, body: ByteArray?): FullHttpResponse {
        val id = requestIdOf(request.headers()[REQUEST_ID])
        val answer = try {
            reserve(request, event, body)
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (failed: Exception) {
            problems.answer(failed, request.method().name(), pathOf(request.uri()), id)
        }
        return if (answer === soldOut && id == null) response(answer, soldOutBytes, soldOutHeaders) else
            rendered(answer, id)
    }

    private suspend fun reserve(request: HttpRequest, event: String, body: ByteArray?): ResponseEntity<Any> {
        val method = HttpMethod.valueOf(request.method().name())
        if (method != HttpMethod.POST) throw MethodNotAllowedException(method, listOf(HttpMethod.POST))
        val headers = request.headers()
        checkMediaType(headers[HttpHeaderNames.CONTENT_TYPE])
        val seats = seatsOf(quantityIn(body))
        val key = headers["Idempotency-Key"]
        val token = headers["Admission"]
        rehearsal.admit(event, token)?.let { return sell(SeatRequest(it, keyOf(key), seats), event) }
        events.known(event)?.let { return sellIfAdmitted(SeatRequest(it, keyOf(key), seats), token, event) }
        // The first request for an event has two steps, with one deadline for both.
        return withDeadline(settings) {
            val found = events.find(event) ?: return@withDeadline noSuchEvent(event)
            sellIfAdmitted(SeatRequest(found, keyOf(key), seats), token, event)
        }
    }

    private suspend fun sellIfAdmitted(request: SeatRequest, token: String?, event: String): ResponseEntity<Any> =
        admission.rejection(token, request.event, request.key) ?: sell(request, event)

    private suspend fun sell(request: SeatRequest, event: String): ResponseEntity<Any> {
        val answer = metrics.timed { strategy.reserve(request) }
        return if (answer is Answer.TooFewSeats && answer.remaining == 0) soldOut else responseTo(answer, event)
    }

    /** Null if the body is empty or `null`. Throws what [Problems] maps to a response if it is not valid. */
    private fun quantityIn(body: ByteArray?): Long? = when {
        body == null -> throw DataBufferLimitException("the body is too large")
        body.isEmpty() -> null
        else -> bodies.readValue<ReserveBody?>(body)?.quantity
    }

    private fun checkMediaType(text: String?) {
        if (text == null || text == MediaType.APPLICATION_JSON_VALUE) return
        val type = try {
            MediaType.parseMediaType(text)
        } catch (wrong: InvalidMediaTypeException) {
            throw UnsupportedMediaTypeStatusException(wrong.message, listOf(MediaType.APPLICATION_JSON))
        }
        if (!type.isCompatibleWith(MediaType.APPLICATION_JSON)) {
            throw UnsupportedMediaTypeStatusException(type, listOf(MediaType.APPLICATION_JSON))
        }
    }

    private fun rendered(answer: ResponseEntity<Any>, id: String?): FullHttpResponse {
        val bytes = if (answer === soldOut) soldOutBytes else json.writeValueAsBytes(answer.body)
        val headers = DefaultHttpHeaders()
        answer.headers.forEach { name, values -> headers[name] = values }
        if (answer.headers.contentType == null) headers[HttpHeaderNames.CONTENT_TYPE] = MediaType.APPLICATION_JSON_VALUE
        headers[HttpHeaderNames.CONTENT_LENGTH] = bytes.size
        if (id != null) headers[REQUEST_ID] = id
        return response(answer, bytes, headers)
    }

    private fun response(answer: ResponseEntity<Any>, bytes: ByteArray, headers: HttpHeaders) = DefaultFullHttpResponse(
        HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.statusCode.value()), Unpooled.wrappedBuffer(bytes),
        headers, EmptyHttpHeaders.INSTANCE,
    )
}
