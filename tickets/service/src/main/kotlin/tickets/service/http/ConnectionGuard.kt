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
 * [within] so long of its first byte. Whoever sends a byte now and then would otherwise hold a connection for ever. Who keeps a connection
 * and asks nothing is not meant.
 *
 * One for each connection, and it belongs to that connection's event loop.
 */
internal class ConnectionGuard(private val within: Duration, private val json: JsonMapper) {
    /** Of a request some bytes are here, and not all. */
    private var isComing = false

    /** Of that request the head was passed on. */
    private var hasHead = false

    /** Requests whose heads were passed on, and whose answers have not been written to their ends. */
    private var unanswered = 0
    private var isAnswering = false

    /** What is to be told once those before have their answers; nothing more is read then. */
    private var refusal: Refusal? = null

    /** It was told: whatever somebody else has to say of that request comes too late. */
    private var isTold = false
    private var alarm: Future<*>? = null

    fun install(channel: Channel) {
        channel.pipeline().addFirst("guard.bytes", OfBytes()).addAfter(NettyPipeline.HttpCodec, "guard.requests", OfRequests())
    }

    private inner class OfBytes : ChannelInboundHandlerAdapter() {
        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            if (refusal != null) {
                ReferenceCountUtil.release(message)
                return
            }
            isComing = true
            context.fireChannelRead(message)
        }

        /** Nearly every request comes in one piece, and is given no alarm. */
        override fun channelReadComplete(context: ChannelHandlerContext) {
            if (isComing && alarm == null && refusal == null) {
                val late = Runnable { refuse(context.channel(), Refusal(Problem.TOO_SLOW, LATE.format(Locale.ROOT, within.toMillis()))) }
                alarm = context.executor().schedule(late, within.toMillis(), TimeUnit.MILLISECONDS)
            }
            context.fireChannelReadComplete()
        }

        override fun channelInactive(context: ChannelHandlerContext) {
            calm()
            context.fireChannelInactive()
        }
    }

    private inner class OfRequests : ChannelDuplexHandler() {
        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            val unreadable = (message as? HttpObject)?.decoderResult()?.takeIf { it.isFailure }
            if (unreadable != null) {
                ReferenceCountUtil.release(message)
                return refuse(context.channel(), refusalFor(unreadable.cause()))
            }
            if (message is HttpRequest) {
                isComing = true
                hasHead = true
                unanswered++
            }
            if (message is LastHttpContent) {
                isComing = false
                hasHead = false
                calm()
            }
            context.fireChannelRead(message)
        }

        override fun write(context: ChannelHandlerContext, message: Any, promise: ChannelPromise) {
            if (isTold) {
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
                refusal?.let { tell(context.channel(), it) }
            }
        }
    }

    private fun refuse(channel: Channel, why: Refusal) {
        if (refusal != null) return
        refusal = why
        calm()
        tell(channel, why)
    }

    /** In the place of an answer: when it is its turn, and never after that request's own answer. */
    private fun tell(channel: Channel, refusal: Refusal) {
        val own = if (hasHead) 1 else 0
        if (isAnswering || unanswered > own) return
        if (unanswered < own) {
            channel.close()
            return
        }
        isTold = true
        // Beneath the codec, to which none of this is known.
        channel.pipeline().context(OfBytes::class.java).writeAndFlush(Unpooled.wrappedBuffer(bytes(refusal))).addListener {
            // A connection that is closed while the other side still sends may lose what it was sent.
            (channel as DuplexChannel).shutdownOutput()
            channel.eventLoop().schedule({ channel.close() }, LINGER_MILLIS, TimeUnit.MILLISECONDS)
        }
    }

    private fun calm() {
        alarm?.cancel(false)
        alarm = null
    }

    private fun bytes(refusal: Refusal): ByteArray {
        val status = refusal.problem.status
        val body = json.writeValueAsBytes(refusal.problem.answer(refusal.detail).body)
        val head = "HTTP/1.1 ${status.value()} ${status.reasonPhrase}\r\nContent-Type: application/problem+json\r\n" +
            "Content-Length: ${body.size}\r\nConnection: close\r\n\r\n"
        return head.encodeToByteArray() + body
    }

    private class Refusal(val problem: Problem, val detail: String)

    private companion object {
        const val LINGER_MILLIS = 1_000L
        const val LATE = "The request was not here whole after %,d milliseconds."

        fun refusalFor(cause: Throwable?): Refusal = when (cause) {
            is TooLongHttpLineException -> Refusal(Problem.TARGET_TOO_LONG, "Paths of this service are short.")
            is TooLongHttpHeaderException -> Refusal(Problem.HEADERS_TOO_LARGE, "All headers together must be smaller.")
            else -> Refusal(Problem.NOT_VALID, "This cannot be read as HTTP/1.1.")
        }
    }
}
