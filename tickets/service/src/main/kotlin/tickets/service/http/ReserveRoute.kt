package threadgauge.tickets.service.http

import io.netty.channel.EventLoop
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.HttpMethod
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.http.server.reactive.ServerHttpRequestDecorator
import org.springframework.web.reactive.function.server.ServerRequest
import org.springframework.web.reactive.function.server.ServerResponse
import org.springframework.web.reactive.function.server.awaitBodyOrNull
import org.springframework.web.reactive.function.server.coRouter
import org.springframework.web.server.MethodNotAllowedException
import org.springframework.web.server.UnsupportedMediaTypeStatusException
import reactor.core.publisher.Mono
import reactor.netty.http.server.HttpServerRequest
import threadgauge.tickets.rules.Ask
import threadgauge.tickets.sale.Strategy
import threadgauge.tickets.service.SaleMetrics
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
 * The request that a sale is made of, as a route instead of a controller: a controller is called by way of reflection, and goes on where
 * its answer was found. Here each request stays on the event loop of its connection, so that who grants seats is free for the next batch
 * while the answers are written. What it is good for, in figures: decision 0026.
 */
@Configuration
class ReserveRoute(
    private val strategy: Strategy,
    private val events: KnownEvents,
    private val door: Door,
    private val metrics: SaleMetrics,
    private val problems: Problems,
    private val json: JsonMapper,
) {
    private val loops = ConcurrentHashMap<EventLoop, OnEventLoop>()

    @Bean
    fun reserving() = coRouter {
        context { loopOf(it.exchange().request) }
        path(PATH) { request -> answer(request) }
    }

    private suspend fun answer(request: ServerRequest): ServerResponse {
        val answer = try {
            reserve(request)
        } catch (gone: CancellationException) {
            throw gone
        } catch (failed: Exception) {
            problems.answer(failed, request.exchange())
        }
        return served(answer)
    }

    /** Written in one piece, since nothing here needs what the framework would choose among: a body is JSON and short. */
    private suspend fun served(answer: ResponseEntity<Any>): ServerResponse {
        val bytes = json.writeValueAsBytes(answer.body)
        return ServerResponse.status(answer.statusCode).build { exchange, _ ->
            val response = exchange.response
            response.headers.addAll(answer.headers)
            if (answer.headers.contentType == null) response.headers.contentType = MediaType.APPLICATION_JSON
            response.headers.contentLength = bytes.size.toLong()
            response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)))
        }.awaitSingle()
    }

    private suspend fun reserve(request: ServerRequest): ResponseEntity<Any> {
        if (request.method() != HttpMethod.POST) throw MethodNotAllowedException(request.method(), listOf(HttpMethod.POST))
        val type = request.headers().contentType().orElse(null)
        if (type != null && !type.isCompatibleWith(MediaType.APPLICATION_JSON)) {
            throw UnsupportedMediaTypeStatusException(type, listOf(MediaType.APPLICATION_JSON))
        }
        val headers = request.exchange().request.headers
        val event = request.pathVariable("event")
        val seats = seatsOf(request.awaitBodyOrNull<ReserveBody>()?.quantity)
        val known = events.find(event) ?: return noSuchEvent(event)
        val ask = Ask(known, keyOf(headers.getFirst("Idempotency-Key")), seats)
        door.refusal(headers.getFirst("Admission"), known, ask.key)?.let { return it }
        return told(metrics.timed { strategy.reserve(ask) }, event)
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
