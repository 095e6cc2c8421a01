package threadgauge.tickets.service.http

import io.netty.buffer.Unpooled
import io.netty.channel.EventLoop
import io.netty.handler.codec.http.HttpHeaderNames
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
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.RejectedExecutionException
import java.util.function.BiFunction
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.cancellation.CancellationException

/** How many seats are wanted. */
class ReserveBody {
    var quantity: Long? = null
}

/**
 * The request that a sale is made of, answered by Reactor Netty itself before it comes to WebFlux: nothing of what the framework could find
 * out about it is in question here. Each request stays on the event loop of its connection, so that who grants seats is free for the next
 * batch while the answers are written. What it is good for, in figures: decision 0030.
 */
internal class ReserveHandler(
    private val strategy: Strategy,
    private val events: KnownEvents,
    private val access: RehearsalAccess,
    private val admission: AdmissionControl,
    private val metrics: SaleMetrics,
    private val problems: Problems,
    private val settings: Settings,
    private val json: JsonMapper,
    maxBody: DataSize,
) : BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {
    private val loops = ConcurrentHashMap<EventLoop, OnEventLoop>()
    private val bodies = json.readerFor(ReserveBody::class.java)

    /** What most callers of a sale are told, and its bytes. */
    private val soldOut = responseTo(Answer.TooFewSeats(0), "")
    private val soldOutBytes = json.writeValueAsBytes(soldOut.body)
    private val maxBody = maxBody.toBytes().toInt()

    /** Whether [request] is for this handler; any other is for the framework. */
    fun takes(request: HttpServerRequest): Boolean = eventOf(request) != null

    override fun apply(request: HttpServerRequest, response: HttpServerResponse): Publisher<Void> =
        mono(loopOf(request)) { answer(request) }.flatMap { write(it, request, response) }

    private suspend fun answer(request: HttpServerRequest): ResponseEntity<Any> = try {
        reserve(request, eventOf(request)!!)
    } catch (gone: CancellationException) {
        throw gone
    } catch (failed: Exception) {
        problems.answer(failed, request.method().name(), request.fullPath(), requestIdOf(request.requestHeaders()[REQUEST_ID]))
    }

    private suspend fun reserve(request: HttpServerRequest, event: String): ResponseEntity<Any> {
        val method = HttpMethod.valueOf(request.method().name())
        if (method != HttpMethod.POST) throw MethodNotAllowedException(method, listOf(HttpMethod.POST))
        val headers = request.requestHeaders()
        val seats = seatsOf(bodyOf(request)?.quantity)
        val key = headers["Idempotency-Key"]
        val token = headers["Admission"]
        access.admit(event, token)?.let { return sold(SeatRequest(it, keyOf(key), seats), event) }
        events.known(event)?.let { return admitted(SeatRequest(it, keyOf(key), seats), token, event) }
        // The first to ask for an event waits for two things, and for no longer than the others.
        return withDeadline(settings) {
            val found = events.find(event) ?: return@withDeadline noSuchEvent(event)
            admitted(SeatRequest(found, keyOf(key), seats), token, event)
        }
    }

    private suspend fun admitted(seatRequest: SeatRequest, token: String?, event: String): ResponseEntity<Any> =
        admission.rejection(token, seatRequest.event, seatRequest.key) ?: sold(seatRequest, event)

    private suspend fun sold(seatRequest: SeatRequest, event: String): ResponseEntity<Any> {
        val answer = metrics.timed { strategy.reserve(seatRequest) }
        return if (answer is Answer.TooFewSeats && answer.remaining == 0) soldOut else responseTo(answer, event)
    }

    /** Null where the body is empty, or says `null`; [Problems] has an answer for what is no body of this request. */
    private suspend fun bodyOf(request: HttpServerRequest): ReserveBody? {
        checkMediaType(request.requestHeaders()[HttpHeaderNames.CONTENT_TYPE])
        var length = 0
        val parts = request.receive().asByteArray().doOnNext {
            length += it.size
            if (length > maxBody) throw DataBufferLimitException("more than $maxBody bytes")
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

    /** Written in one piece, since nothing here needs what the framework would choose among: a body is JSON and short. */
    private fun write(answer: ResponseEntity<Any>, request: HttpServerRequest, response: HttpServerResponse): Mono<Void> {
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
        return loops.computeIfAbsent(loop!!, ::OnEventLoop)
    }

    internal companion object {
        const val PATH = "/events/{event}/reservations"

        /** Of [PATH] between its strokes; before the first there is nothing. */
        private const val PARTS = 4

        /** Null where the request is for something else, or its path cannot be read; the framework has an answer for that. */
        private fun eventOf(request: HttpServerRequest): String? {
            // As it was sent: where it is decoded already, a semicolon in a part cannot be told from one that ends it.
            val target = request.uri().substringBefore('?')
            val parts = (if (target.startsWith('/')) target else "/" + target.substringAfter("://").substringAfter('/', "")).split('/')
            return if (parts.size == PARTS && named(parts[1]) == "events" && named(parts[3]) == "reservations") named(parts[2]) else null
        }

        /** Compared after decoding and without parameters, as the framework does. */
        private fun named(part: String): String? = if ('%' !in part && ';' !in part) part else try {
            StringUtils.uriDecode(part.substringBefore(';'), Charsets.UTF_8)
        } catch (_: IllegalArgumentException) {
            null
        }
    }
}

/** Runs coroutines on one event loop, and does not queue what is there already. */
private class OnEventLoop(private val loop: EventLoop) : CoroutineDispatcher() {
    override fun isDispatchNeeded(context: CoroutineContext) = !loop.inEventLoop()

    override fun dispatch(context: CoroutineContext, block: Runnable) = try {
        loop.execute(block)
    } catch (_: RejectedExecutionException) {
        // The server stops; who is still to be answered is answered elsewhere.
        Dispatchers.Default.dispatch(context, block)
    }
}
