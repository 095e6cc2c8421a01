package threadgauge.tickets.service.http

import io.netty.channel.EventLoop
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.reactor.mono
import org.springframework.core.io.buffer.DataBufferUtils
import org.springframework.http.HttpMethod
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.http.server.PathContainer.PathSegment
import org.springframework.http.server.reactive.HttpHandler
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.http.server.reactive.ServerHttpRequestDecorator
import org.springframework.http.server.reactive.ServerHttpResponse
import org.springframework.util.unit.DataSize
import org.springframework.web.server.MethodNotAllowedException
import org.springframework.web.server.UnsupportedMediaTypeStatusException
import reactor.core.publisher.Mono
import reactor.netty.http.server.HttpServerRequest
import threadgauge.tickets.rules.Answer
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.SaleMetrics
import tools.jackson.core.JacksonException
import tools.jackson.databind.json.JsonMapper
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.RejectedExecutionException
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.cancellation.CancellationException

/** How many seats are wanted. */
class ReserveBody {
    var quantity: Long? = null
}

/**
 * The request that a sale is made of, answered before the framework looks for who answers it: nothing of what it could find is in question
 * here. Each request stays on the event loop of its connection, so that who grants seats is free for the next batch while the answers are
 * written. All other requests are for [next]. What it is good for, in figures: decision 0030.
 */
internal class ReserveHandler(
    private val next: HttpHandler,
    private val strategy: Strategy,
    private val events: KnownEvents,
    private val door: Door,
    private val metrics: SaleMetrics,
    private val problems: Problems,
    private val json: JsonMapper,
    bodyMost: DataSize,
) : HttpHandler {
    private val loops = ConcurrentHashMap<EventLoop, OnEventLoop>()
    private val bodies = json.readerFor(ReserveBody::class.java)

    /** What most callers of a sale are told, and its bytes. It is the handler's own: the framework writes into bodies that it is given. */
    private val soldOut = told(Answer.TooFewSeats(0), "")
    private val soldOutBytes = json.writeValueAsBytes(soldOut.body)
    private val bodyMost = bodyMost.toBytes().toInt()

    override fun handle(request: ServerHttpRequest, response: ServerHttpResponse): Mono<Void> {
        val event = eventOf(request) ?: return next.handle(request, response)
        return mono(loopOf(request)) { answer(request, event) }.flatMap { write(it, response) }
    }

    /** Null where the request is for something else. */
    private fun eventOf(request: ServerHttpRequest): String? {
        val parts = request.path.pathWithinApplication().elements()
        fun segment(at: Int) = (parts[at] as? PathSegment)?.valueToMatch()
        return if (parts.size == PARTS && segment(1) == "events" && segment(5) == "reservations") segment(3) else null
    }

    private suspend fun answer(request: ServerHttpRequest, event: String): ResponseEntity<Any> = try {
        reserve(request, event)
    } catch (gone: CancellationException) {
        throw gone
    } catch (failed: Exception) {
        problems.answer(failed, request)
    }

    private suspend fun reserve(request: ServerHttpRequest, event: String): ResponseEntity<Any> {
        if (request.method != HttpMethod.POST) throw MethodNotAllowedException(request.method, listOf(HttpMethod.POST))
        val headers = request.headers
        val seats = seatsOf(bodyOf(request)?.quantity)
        val known = events.find(event) ?: return noSuchEvent(event)
        val ask = Ask(known, keyOf(headers.getFirst("Idempotency-Key")), seats)
        door.refusal(headers.getFirst("Admission"), known, ask.key)?.let { return it }
        val answer = metrics.timed { strategy.reserve(ask) }
        return if (answer is Answer.TooFewSeats && answer.remaining == 0) soldOut else told(answer, event)
    }

    /** Null where the body is empty, or says `null`. */
    private suspend fun bodyOf(request: ServerHttpRequest): ReserveBody? {
        val type = request.headers.contentType
        if (type != null && !type.isCompatibleWith(MediaType.APPLICATION_JSON)) {
            throw UnsupportedMediaTypeStatusException(type, listOf(MediaType.APPLICATION_JSON))
        }
        val buffer = DataBufferUtils.join(request.body, bodyMost).awaitSingleOrNull() ?: return null
        val bytes = try {
            ByteArray(buffer.readableByteCount()).also(buffer::read)
        } finally {
            DataBufferUtils.release(buffer)
        }
        return try {
            bodies.readValue<ReserveBody?>(bytes)
        } catch (_: JacksonException) {
            throw NotValid(NOT_READABLE)
        }
    }

    /** Written in one piece, since nothing here needs what the framework would choose among: a body is JSON and short. */
    private fun write(answer: ResponseEntity<Any>, response: ServerHttpResponse): Mono<Void> {
        val bytes = if (answer === soldOut) soldOutBytes else json.writeValueAsBytes(answer.body)
        response.statusCode = answer.statusCode
        response.headers.addAll(answer.headers)
        if (answer.headers.contentType == null) response.headers.contentType = MediaType.APPLICATION_JSON
        response.headers.contentLength = bytes.size.toLong()
        return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)))
    }

    /** That of the connection; nothing where the server is another one than Netty. */
    private fun loopOf(request: ServerHttpRequest): CoroutineContext {
        val netty = runCatching { ServerHttpRequestDecorator.getNativeRequest<HttpServerRequest>(request) }.getOrNull()
        var loop: EventLoop? = null
        netty?.withConnection { loop = it.channel().eventLoop() }
        return loop?.let { loops.computeIfAbsent(it, ::OnEventLoop) } ?: EmptyCoroutineContext
    }

    internal companion object {
        const val PATH = "/events/{event}/reservations"

        /** Of [PATH]: three names, each with the stroke before it. */
        private const val PARTS = 6
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
