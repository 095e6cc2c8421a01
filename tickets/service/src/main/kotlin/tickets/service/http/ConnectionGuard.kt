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
import reactor.netty.NettyPipeline
import tools.jackson.databind.json.JsonMapper
import java.nio.channels.ClosedChannelException
import java.time.Duration
import java.util.Locale
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit

/**
 * Answers where what comes on a connection never becomes a request: because it cannot be read, or because it does not come to its end
 * [timeout] so long of its first byte. Whoever sends a byte now and then would otherwise hold a connection for ever. Who keeps a connection
 * and asks nothing is not meant.
 *
 * One for each connection, and it belongs to that connection's event loop.
 */
internal class ConnectionGuard(private val timeout: Duration, private val json: JsonMapper) {
    /** Of a request some bytes are here, and not all. */
    private var isReceiving = false

    /** Of that request the head was passed on. */
    private var hasHead = false

    /** Requests whose heads were passed on, and whose answers have not been written to their ends. */
    private var unanswered = 0
    private var isAnswering = false

    /** What is to be told once those before have their answers; nothing more is read then. */
    private var rejection: Rejection? = null

    /** It was told: whatever somebody else has to say of that request comes too late. */
    private var isRejected = false
    private var timer: Future<*>? = null

    fun install(channel: Channel) {
        channel.pipeline().addFirst("guard.bytes", OfBytes()).addAfter(NettyPipeline.HttpCodec, "guard.requests", OfRequests())
    }

    private inner class OfBytes : ChannelInboundHandlerAdapter() {
        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            if (rejection != null) {
                ReferenceCountUtil.release(message)
                return
            }
            isReceiving = true
            context.fireChannelRead(message)
        }

        /** Nearly every request comes in one piece, and is given no alarm. */
        override fun channelReadComplete(context: ChannelHandlerContext) {
            if (isReceiving && timer == null && rejection == null) {
                val onTimeout = Runnable { reject(context.channel(), Rejection(Problem.TOO_SLOW, TOO_LATE.format(Locale.ROOT, timeout.toMillis()))) }
                timer = context.executor().schedule(onTimeout, timeout.toMillis(), TimeUnit.MILLISECONDS)
            }
            context.fireChannelReadComplete()
        }

        override fun channelInactive(context: ChannelHandlerContext) {
            cancelTimer()
            context.fireChannelInactive()
        }
    }

    private inner class OfRequests : ChannelDuplexHandler() {
        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            val unreadable = (message as? HttpObject)?.decoderResult()?.takeIf { it.isFailure }
            if (unreadable != null) {
                ReferenceCountUtil.release(message)
                return reject(context.channel(), rejectionFor(unreadable.cause()))
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
            val isInterim = message is HttpResponse && message.status() == HttpResponseStatus.CONTINUE
            if (message is HttpResponse && !isInterim) isAnswering = true
            val isEnd = message is LastHttpContent && !isInterim
            context.write(message, promise)
            if (isEnd) {
                isAnswering = false
                unanswered--
                rejection?.let { sendRejection(context.channel(), it) }
            }
        }
    }

    private fun reject(channel: Channel, why: Rejection) {
        if (rejection != null) return
        rejection = why
        cancelTimer()
        sendRejection(channel, why)
    }

    /** In the place of an answer: when it is its turn, and never after that request's own answer. */
    private fun sendRejection(channel: Channel, rejection: Rejection) {
        val own = if (hasHead) 1 else 0
        if (isAnswering || unanswered > own) return
        if (unanswered < own) {
            channel.close()
            return
        }
        isRejected = true
        // Beneath the codec, to which none of this is known.
        channel.pipeline().context(OfBytes::class.java).writeAndFlush(Unpooled.wrappedBuffer(bytes(rejection))).addListener {
            // A connection that is closed while the other side still sends may lose what it was sent.
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
        const val TOO_LATE = "The request was not here whole after %,d milliseconds."

        fun rejectionFor(cause: Throwable?): Rejection = when (cause) {
            is TooLongHttpLineException -> Rejection(Problem.TARGET_TOO_LONG, "Paths of this service are short.")
            is TooLongHttpHeaderException -> Rejection(Problem.HEADERS_TOO_LARGE, "All headers together must be smaller.")
            else -> Rejection(Problem.NOT_VALID, "This cannot be read as HTTP/1.1.")
        }
    }
}
