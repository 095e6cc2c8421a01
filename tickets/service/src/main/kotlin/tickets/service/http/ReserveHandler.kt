package threadgauge.tickets.service.http

import io.netty.buffer.Unpooled
import io.netty.channel.EventLoop
import io.netty.handler.codec.http.HttpHeaderNames
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.RejectedExecutionException
import java.util.function.BiFunction
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.cancellation.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import org.reactivestreams.Publisher
import org.springframework.core.io.buffer.DataBufferLimitException
import org.springframework.http.HttpMethod
import org.springframework.http.InvalidMediaTypeException
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.util.StringUtils
import org.springframework.util.unit.DataSize
import org.springframework.web.server.MethodNotAllowedException
import org.springframework.web.server.UnsupportedMediaTypeStatusException
import reactor.core.publisher.Mono
import reactor.netty.http.server.HttpServerRequest
import reactor.netty.http.server.HttpServerResponse
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

/**
 * Handles requests for seats in Reactor Netty, before WebFlux, because it needs none of the framework's features. Each
 * request stays on the event loop of its connection. So the batch writer is free for the next batch while the responses
 * are written. Decision 0030 has the measurements.
 */
internal class ReserveHandler(
    private val strategy: Strategy,
    private val events: KnownEvents,
    private val rehearsal: RehearsalAccess,
    private val admission: AdmissionControl,
    private val metrics: SaleMetrics,
    private val problems: Problems,
    private val settings: Settings,
    private val json: JsonMapper,
    maxBody: DataSize,
) : BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {
    private val loops = ConcurrentHashMap<EventLoop, EventLoopDispatcher>()
    private val bodies = json.readerFor(ReserveBody::class.java)

    /** The most frequent response, rendered once. */
    private val soldOut = responseTo(Answer.TooFewSeats(0), "")
    private val soldOutBytes = json.writeValueAsBytes(soldOut.body)
    private val maxBodyBytes = maxBody.toBytes().toInt()

    /** Whether [request] is for this handler; all others go on to the framework. */
    fun takes(request: HttpServerRequest): Boolean = eventOf(request) != null

    override fun apply(request: HttpServerRequest, response: HttpServerResponse): Publisher<Void> =
        mono(loopOf(request)) { answer(request) }.flatMap { write(it, request, response) }

    private suspend fun answer(request: HttpServerRequest): ResponseEntity<Any> = try {
        reserve(request, eventOf(request)!!)
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (failed: Exception) {
        val id = requestIdOf(request.requestHeaders()[REQUEST_ID])
        problems.answer(failed, request.method().name(), request.fullPath(), id)
    }

    private suspend fun reserve(request: HttpServerRequest, event: String): ResponseEntity<Any> {
        val method = HttpMethod.valueOf(request.method().name())
        if (method != HttpMethod.POST) throw MethodNotAllowedException(method, listOf(HttpMethod.POST))
        val headers = request.requestHeaders()
        val seats = seatsOf(bodyOf(request)?.quantity)
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
    private suspend fun bodyOf(request: HttpServerRequest): ReserveBody? {
        checkMediaType(request.requestHeaders()[HttpHeaderNames.CONTENT_TYPE])
        var length = 0
        val parts = request.receive().asByteArray().doOnNext {
            length += it.size
            if (length > maxBodyBytes) throw DataBufferLimitException("more than $maxBodyBytes bytes")
        }.collectList().awaitSingle()
        return if (parts.isEmpty()) null else bodies.readValue<ReserveBody?>(parts.reduce(ByteArray::plus))
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

    /** Written in one piece: all bodies here are short JSON. */
    private fun write(
        answer: ResponseEntity<Any>,
        request: HttpServerRequest,
        response: HttpServerResponse,
    ): Mono<Void> {
        val bytes = if (answer === soldOut) soldOutBytes else json.writeValueAsBytes(answer.body)
        response.status(answer.statusCode.value())
        val headers = response.responseHeaders()
        answer.headers.forEach { name, values -> headers[name] = values }
        if (answer.headers.contentType == null) headers[HttpHeaderNames.CONTENT_TYPE] = MediaType.APPLICATION_JSON_VALUE
        headers[HttpHeaderNames.CONTENT_LENGTH] = bytes.size
        requestIdOf(request.requestHeaders()[REQUEST_ID])?.let { headers[REQUEST_ID] = it }
        return response.send(Mono.just(Unpooled.wrappedBuffer(bytes))).then()
    }

    private fun loopOf(request: HttpServerRequest): CoroutineContext {
        var loop: EventLoop? = null
        request.withConnection { loop = it.channel().eventLoop() }
        return loops.computeIfAbsent(loop!!, ::EventLoopDispatcher)
    }

    internal companion object {
        const val PATH = "/events/{event}/reservations"

        /** Segments of [PATH] between slashes; the first is empty. */
        private const val SEGMENTS = 4

        /** Null if the request is for another path, or the path cannot be decoded; the framework answers it then. */
        private fun eventOf(request: HttpServerRequest): String? {
            // The raw target: once it is decoded, a semicolon inside a segment looks like one that ends it.
            val target = request.uri().substringBefore('?')
            val path = if (target.startsWith('/')) target else
                "/" + target.substringAfter("://").substringAfter('/', "")
            val parts = path.split('/')
            val isReservations =
                parts.size == SEGMENTS && decoded(parts[1]) == "events" && decoded(parts[3]) == "reservations"
            return if (isReservations) decoded(parts[2]) else null
        }

        /** The segment decoded and without path parameters, as the framework compares it. */
        private fun decoded(segment: String): String? = if ('%' !in segment && ';' !in segment) segment else try {
            StringUtils.uriDecode(segment.substringBefore(';'), Charsets.UTF_8)
        } catch (_: IllegalArgumentException) {
            null
        }
    }
}

/** Runs coroutines on one event loop. A coroutine that is already on it continues without a dispatch. */
private class EventLoopDispatcher(private val loop: EventLoop) : CoroutineDispatcher() {
    override fun isDispatchNeeded(context: CoroutineContext) = !loop.inEventLoop()

    override fun dispatch(context: CoroutineContext, block: Runnable) = try {
        loop.execute(block)
    } catch (_: RejectedExecutionException) {
        // The server has stopped; the remaining requests are answered on another thread.
        Dispatchers.Default.dispatch(context, block)
    }
}
