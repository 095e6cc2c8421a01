package threadgauge.tickets.service.http

import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelDuplexHandler
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelPromise
import io.netty.channel.socket.DuplexChannel
import io.netty.handler.codec.http.HttpObject
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpResponse
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http.LastHttpContent
import io.netty.handler.codec.http.TooLongHttpHeaderException
import io.netty.handler.codec.http.TooLongHttpLineException
import io.netty.util.ReferenceCountUtil
import java.nio.channels.ClosedChannelException
import java.time.Duration
import java.util.Locale
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit
import reactor.netty.NettyPipeline
import tools.jackson.databind.json.JsonMapper

/**
 * Answers input that never becomes a request: it cannot be parsed, repeats a header that it may have once, or is not
 * complete [timeout] after its first byte. Otherwise a client could hold a connection forever by sending a byte now
 * and then. Idle keep-alive connections are not affected.
 *
 * One instance per connection, owned by the connection's event loop.
 */
internal class ConnectionGuard(private val timeout: Duration, private val json: JsonMapper) {
    /** Some bytes of a request have arrived, but not all. */
    private var isReceiving = false

    /** The head of that request was passed on. */
    private var hasHead = false

    /** Requests whose heads were passed on and whose responses are not complete. */
    private var unanswered = 0
    private var isAnswering = false

    /** Sent after the responses to earlier requests; nothing more is read then. */
    private var rejection: Rejection? = null

    /** The rejection was sent, so a later response to the same request is dropped. */
    private var isRejected = false
    private var timer: Future<*>? = null

    fun install(channel: Channel) {
        channel.pipeline().addFirst("guard.bytes", ByteHandler())
            .addAfter(NettyPipeline.HttpCodec, "guard.requests", RequestHandler())
    }

    private inner class ByteHandler : ChannelInboundHandlerAdapter() {
        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            if (rejection != null) {
                ReferenceCountUtil.release(message)
                return
            }
            isReceiving = true
            context.fireChannelRead(message)
        }

        /** Nearly all requests arrive in one read, and never start the timer. */
        override fun channelReadComplete(context: ChannelHandlerContext) {
            if (isReceiving && timer == null && rejection == null) {
                val detail = TOO_LATE.format(Locale.ROOT, timeout.toMillis())
                val onTimeout = Runnable { reject(context.channel(), Rejection(Problem.TOO_SLOW, detail)) }
                timer = context.executor().schedule(onTimeout, timeout.toMillis(), TimeUnit.MILLISECONDS)
            }
            context.fireChannelReadComplete()
        }

        override fun channelInactive(context: ChannelHandlerContext) {
            cancelTimer()
            context.fireChannelInactive()
        }
    }

    private inner class RequestHandler : ChannelDuplexHandler() {
        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            if (rejection != null) {
                // The rest of a request whose head was rejected.
                ReferenceCountUtil.release(message)
                return
            }
            val failure = (message as? HttpObject)?.decoderResult()?.takeIf { it.isFailure }
            if (failure != null) {
                ReferenceCountUtil.release(message)
                return reject(context.channel(), rejectionFor(failure.cause()))
            }
            val repeated = (message as? HttpRequest)?.let { repeatedHeader(it.headers()) }
            if (repeated != null) {
                ReferenceCountUtil.release(message)
                return reject(context.channel(), Rejection(Problem.NOT_VALID, "The header $repeated stands twice."))
            }
            if (message is HttpRequest) {
                isReceiving = true
                hasHead = true
                unanswered++
            }
            if (message is LastHttpContent) {
                isReceiving = false
                hasHead = false
                cancelTimer()
            }
            context.fireChannelRead(message)
        }

        override fun write(context: ChannelHandlerContext, message: Any, promise: ChannelPromise) {
            if (isRejected) {
                ReferenceCountUtil.release(message)
                promise.tryFailure(ClosedChannelException())
                return
            }
            if (message is HttpResponse && !isInterim(message)) isAnswering = true
            val isEnd = endsResponse(message)
            context.write(message, promise)
            if (isEnd) {
                isAnswering = false
                unanswered--
                rejection?.let { sendRejection(context.channel(), it) }
            }
        }
    }

    private fun reject(channel: Channel, reason: Rejection) {
        if (rejection != null) return
        rejection = reason
        cancelTimer()
        sendRejection(channel, reason)
    }

    /** Sends the rejection in order: after the responses to earlier requests, and never after this request's own. */
    private fun sendRejection(channel: Channel, rejection: Rejection) {
        val own = if (hasHead) 1 else 0
        if (isAnswering || unanswered > own) return
        if (unanswered < own) {
            channel.close()
            return
        }
        isRejected = true
        // Written below the codec, which knows nothing of this response.
        val response = Unpooled.wrappedBuffer(bytes(rejection))
        channel.pipeline().context(ByteHandler::class.java).writeAndFlush(response).addListener {
            // If a connection is closed while the client still sends, the client may lose the response.
            (channel as DuplexChannel).shutdownOutput()
            channel.eventLoop().schedule({ channel.close() }, LINGER_MILLIS, TimeUnit.MILLISECONDS)
        }
    }

    private fun cancelTimer() {
        timer?.cancel(false)
        timer = null
    }

    private fun bytes(rejection: Rejection): ByteArray {
        val status = rejection.problem.status
        val body = json.writeValueAsBytes(rejection.problem.answer(rejection.detail).body)
        val head = "HTTP/1.1 ${status.value()} ${status.reasonPhrase}\r\nContent-Type: application/problem+json\r\n" +
            "Content-Length: ${body.size}\r\nConnection: close\r\n\r\n"
        return head.encodeToByteArray() + body
    }

    private class Rejection(val problem: Problem, val detail: String)

    private companion object {
        const val LINGER_MILLIS = 1_000L
        const val TOO_LATE = "The request was not complete after %,d milliseconds."

        fun rejectionFor(cause: Throwable?): Rejection = when (cause) {
            is TooLongHttpLineException -> Rejection(Problem.TARGET_TOO_LONG, "Paths of this service are short.")
            is TooLongHttpHeaderException ->
                Rejection(Problem.HEADERS_TOO_LARGE, "All headers together must be smaller.")
            else -> Rejection(Problem.NOT_VALID, "The input cannot be parsed as HTTP/1.1.")
        }
    }
}

/** Whether [message], which is written, is the end of a response; one that is only interim has none. */
internal fun endsResponse(message: Any): Boolean = message is LastHttpContent && !isInterim(message)

private fun isInterim(message: Any) = message is HttpResponse && message.status() == HttpResponseStatus.CONTINUE
