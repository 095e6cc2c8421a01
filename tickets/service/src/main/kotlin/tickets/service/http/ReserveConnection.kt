package threadgauge.tickets.service.http

import io.netty.buffer.ByteBufUtil
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelDuplexHandler
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelPromise
import io.netty.handler.codec.http.DefaultFullHttpResponse
import io.netty.handler.codec.http.FullHttpResponse
import io.netty.handler.codec.http.HttpContent
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http.HttpVersion
import io.netty.handler.codec.http.LastHttpContent
import io.netty.util.ReferenceCountUtil
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/**
 * Takes requests for seats out of a connection before Reactor Netty sees them, lets [reserving] answer them, and passes
 * everything else on. A request for seats needs nothing of the framework, and a thousand of them may arrive at once, so
 * what the framework does for each request is most of its cost. Decision 0072 has the measurements.
 *
 * Responses have the order of their requests: one request is in progress at a time, either here or in the framework,
 * and what arrives meanwhile waits. Not much can wait, because nothing is read from the connection then. A request
 * whose client goes away is cancelled. If the server closes the connection while a request is answered here, the
 * connection is closed after the response.
 *
 * One instance per connection, used by the connection's event loop only, which [loop] dispatches to.
 */
internal class ReserveConnection(
    private val reserving: Reserving,
    loop: CoroutineDispatcher,
    private val maxBody: Int,
) : ChannelDuplexHandler() {
    private val scope = CoroutineScope(loop + SupervisorJob())

    /** Parts of requests that arrived while another one was in progress. */
    private val waiting = ArrayDeque<Any>()

    /** Requests that the framework has not yet answered. */
    private var passedOn = 0

    /** The request that is in progress here. */
    private var current: Exchange? = null

    /** The last read contained something for this handler, which then has to request the next read. */
    private var hasTaken = false
    private var isResuming = false

    /** No further request is answered on this connection. */
    private var isEnding = false

    /** Set if the connection shall be closed after the current response. */
    private var closing: ChannelPromise? = null

    private class Exchange(val request: HttpRequest, val event: String) {
        var body = ByteArray(0)
        var isReceived = false
        var isAnswered = false
    }

    override fun channelRead(context: ChannelHandlerContext, message: Any) {
        if (waiting.isNotEmpty() || !take(context, message)) {
            waiting += message
            hasTaken = true
        }
    }

    override fun channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Also while a request is answered: otherwise it would not be seen that the client has gone.
        if (hasTaken && waiting.isEmpty()) context.read()
        hasTaken = false
    }

    /** False if [message] has to wait. */
    private fun take(context: ChannelHandlerContext, message: Any): Boolean {
        val own = current
        when {
            isEnding -> ReferenceCountUtil.release(message)
            own != null && own.isReceived -> return false
            own != null -> receive(context, own, message as HttpContent)
            else -> {
                val event = (message as? HttpRequest)?.let { reservedEvent(it.uri()) }
                if (event != null) return passedOn == 0 && begin(context, message, event)
                if (message is HttpRequest) passedOn++
                context.fireChannelRead(message)
            }
        }
        return true
    }

    private fun begin(context: ChannelHandlerContext, request: HttpRequest, event: String): Boolean {
        val exchange = Exchange(request, event)
        current = exchange
        hasTaken = true
        if (HttpUtil.is100ContinueExpected(request)) context.writeAndFlush(CONTINUE.retainedDuplicate())
        if (request is HttpContent) receive(context, exchange, request)
        return true
    }

    private fun receive(context: ChannelHandlerContext, exchange: Exchange, part: HttpContent) {
        hasTaken = true
        val isLast = part is LastHttpContent
        val content = part.content()
        val isTooLarge = exchange.body.size + content.readableBytes() > maxBody
        if (!exchange.isAnswered && !isTooLarge && content.isReadable) {
            val bytes = ByteBufUtil.getBytes(content)
            exchange.body = if (exchange.body.isEmpty()) bytes else exchange.body + bytes
        }
        part.release()
        exchange.isReceived = isLast
        when {
            exchange.isAnswered -> if (isLast) end(context)
            isTooLarge -> {
                exchange.isAnswered = true
                answer(context, exchange, null)
            }
            isLast -> answer(context, exchange, exchange.body)
        }
    }

    private fun answer(context: ChannelHandlerContext, exchange: Exchange, body: ByteArray?) {
        scope.launch(start = CoroutineStart.UNDISPATCHED) {
            try {
                respond(context, exchange, reserving.answer(exchange.request, exchange.event, body))
            } catch (failed: Error) {
                // Without a response the client would wait for its own timeout.
                context.close()
                throw failed
            }
        }
    }

    private fun respond(context: ChannelHandlerContext, exchange: Exchange, response: FullHttpResponse) {
        exchange.isAnswered = true
        val version = exchange.request.protocolVersion()
        val keepsAlive = closing == null && HttpUtil.isKeepAlive(exchange.request)
        if (keepsAlive && version == HttpVersion.HTTP_1_1) {
            context.writeAndFlush(response)
        } else {
            // A copy, because usual responses may share their headers.
            val last = response.replace(response.content())
            HttpUtil.setKeepAlive(last.headers(), version, keepsAlive)
            val written = context.writeAndFlush(last)
            if (!keepsAlive) {
                discard()
                written.addListener { context.close(closing ?: context.newPromise()) }
            }
        }
        if (exchange.isReceived) end(context)
    }

    private fun end(context: ChannelHandlerContext) {
        current = null
        if (waiting.isNotEmpty()) resume(context)
    }

    private fun resume(context: ChannelHandlerContext) {
        if (isResuming) return
        isResuming = true
        while (waiting.isNotEmpty()) {
            // Taken out first, because what [take] starts may discard all that waits.
            val next = waiting.removeFirst()
            if (!take(context, next)) {
                waiting.addFirst(next)
                break
            }
        }
        isResuming = false
        context.fireChannelReadComplete()
        if (waiting.isEmpty()) context.read()
    }

    /** Sees the responses of the framework. Those of this handler begin below it. */
    override fun write(context: ChannelHandlerContext, message: Any, promise: ChannelPromise) {
        val isEnd = endsResponse(message)
        context.write(message, promise)
        if (!isEnd || passedOn == 0) return
        passedOn--
        // Later, because the framework has not yet finished with the request.
        if (waiting.isNotEmpty()) context.executor().execute { resume(context) }
    }

    override fun close(context: ChannelHandlerContext, promise: ChannelPromise) {
        val isAnswering = current?.run { isReceived && !isAnswered } ?: false
        if (!isAnswering || !context.channel().isActive) {
            context.close(promise)
        } else {
            closing?.addListener { context.close(promise) }
            closing = closing ?: promise
        }
    }

    override fun channelInactive(context: ChannelHandlerContext) {
        scope.cancel()
        discard()
        closing?.trySuccess()
        context.fireChannelInactive()
    }

    private fun discard() {
        isEnding = true
        while (waiting.isNotEmpty()) ReferenceCountUtil.release(waiting.removeFirst())
    }

    private companion object {
        val CONTINUE: FullHttpResponse =
            DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER)
    }
}
