package threadgauge.server.upstream

import io.netty.buffer.ByteBuf
import io.netty.buffer.Unpooled
import io.netty.channel.ChannelFutureListener
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.SimpleChannelInboundHandler
import io.netty.handler.codec.http.DefaultFullHttpResponse
import io.netty.handler.codec.http.DefaultHttpContent
import io.netty.handler.codec.http.DefaultHttpResponse
import io.netty.handler.codec.http.HttpHeaderNames
import io.netty.handler.codec.http.HttpHeaderValues
import io.netty.handler.codec.http.HttpObject
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.HttpResponse
import io.netty.handler.codec.http.HttpResponseStatus
import io.netty.handler.codec.http.HttpUtil
import io.netty.handler.codec.http.HttpVersion
import io.netty.handler.codec.http.LastHttpContent
import java.util.ArrayDeque
import java.util.concurrent.TimeUnit

/**
 * One connection. Clients may pipeline requests. Answers leave in the order of the requests, each when its time has
 * come and those before it have left.
 */
internal class UpstreamConnection(private val behaviour: Behaviour, private val standIn: StandIn? = null) :
    SimpleChannelInboundHandler<HttpObject>() {
    private val open = ArrayDeque<PendingAnswer>()
    private var isFlushing = false

    /** A request in flight. [answer] is set when its time has come. */
    private class PendingAnswer(val keepsAlive: Boolean) {
        var answer: String? = null
        var status: HttpResponseStatus = HttpResponseStatus.OK
        var type = StandIn.TEXT
        var isSlow = false
        var isStalled = false
    }

    override fun channelRead0(context: ChannelHandlerContext, message: HttpObject) {
        // Bodies of requests are ignored.
        if (message !is HttpRequest) return
        val pending = PendingAnswer(HttpUtil.isKeepAlive(message))
        open += pending
        if (message.decoderResult().isFailure) {
            return now(context, pending, HttpResponseStatus.BAD_REQUEST, "malformed HTTP")
        }
        if (standIn != null) return standIn(context, pending, standIn)
        when (val request = parse(message.method().name(), message.uri())) {
            is UpstreamRequest.Result -> later(context, pending, request)
            is UpstreamRequest.Behave -> {
                behaviour.behave(request.errors, request.stalls, request.slow)
                val words = "errors ${request.errors} %, stalls ${request.stalls} %, slow ${request.slow} %"
                now(context, pending, HttpResponseStatus.OK, words)
            }
            UpstreamRequest.Stats -> now(context, pending, HttpResponseStatus.OK, behaviour.stats())
            is UpstreamRequest.Invalid -> now(context, pending, HttpResponseStatus.valueOf(request.status), request.why)
        }
    }

    private fun later(context: ChannelHandlerContext, pending: PendingAnswer, request: UpstreamRequest.Result) {
        val fate = behaviour.next()
        behaviour.begins()
        if (fate == Fate.STALL) {
            pending.isStalled = true
            return
        }
        if (fate == Fate.ERROR) pending.status = HttpResponseStatus.INTERNAL_SERVER_ERROR
        pending.isSlow = fate == Fate.SLOW
        val answer = if (fate == Fate.ERROR) "the upstream fails as configured" else "result${request.index}"
        val answering = Runnable {
            behaviour.ends()
            pending.answer = answer
            send(context)
        }
        if (request.millis == 0L) answering.run()
        else context.executor().schedule(answering, request.millis, TimeUnit.MILLISECONDS)
    }

    private fun standIn(context: ChannelHandlerContext, pending: PendingAnswer, standIn: StandIn) {
        val fate = standIn.next()
        if (fate.isError) pending.status = HttpResponseStatus.INTERNAL_SERVER_ERROR
        pending.type = if (fate.isError) StandIn.TEXT else standIn.type
        val answering = Runnable {
            pending.answer = if (fate.isError) StandIn.ERROR else standIn.body
            send(context)
        }
        if (fate.millis == 0L) answering.run()
        else context.executor().schedule(answering, fate.millis, TimeUnit.MILLISECONDS)
    }

    private fun now(
        context: ChannelHandlerContext,
        pending: PendingAnswer,
        status: HttpResponseStatus,
        answer: String,
    ) {
        pending.status = status
        pending.answer = answer
        send(context)
    }

    /** Sends all answers that may leave now. */
    private fun send(context: ChannelHandlerContext) {
        var isWritten = false
        while (!isFlushing) {
            val pending = open.peekFirst()?.takeIf { it.answer != null } ?: break
            open.removeFirst()
            isWritten = true
            val body = Unpooled.wrappedBuffer(checkNotNull(pending.answer).toByteArray())
            if (pending.isSlow) trickle(context, pending, body) else {
                val response = DefaultFullHttpResponse(HttpVersion.HTTP_1_1, pending.status, body)
                val sent = context.write(headed(response, body.readableBytes(), pending))
                if (!pending.keepsAlive) sent.addListener(ChannelFutureListener.CLOSE)
            }
        }
        if (isWritten) context.flush()
    }

    /** One byte at a time, with a pause after each. */
    private fun trickle(context: ChannelHandlerContext, pending: PendingAnswer, body: ByteBuf) {
        isFlushing = true
        val head = DefaultHttpResponse(HttpVersion.HTTP_1_1, pending.status)
        context.writeAndFlush(headed(head, body.readableBytes(), pending))
        fun next() {
            if (!context.channel().isActive) {
                body.release()
                return
            }
            if (body.isReadable) {
                context.writeAndFlush(DefaultHttpContent(body.readRetainedSlice(1)))
                context.executor().schedule(::next, TRICKLE_MILLIS, TimeUnit.MILLISECONDS)
            } else {
                body.release()
                val sent = context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                if (!pending.keepsAlive) sent.addListener(ChannelFutureListener.CLOSE)
                isFlushing = false
                send(context)
            }
        }
        next()
    }

    private fun headed(response: HttpResponse, length: Int, pending: PendingAnswer): HttpResponse = response.apply {
        headers().set(HttpHeaderNames.CONTENT_TYPE, pending.type)
            .setInt(HttpHeaderNames.CONTENT_LENGTH, length)
        if (!pending.keepsAlive) headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
    }

    /** Stalled requests wait until their client closes the connection. */
    override fun channelInactive(context: ChannelHandlerContext) {
        repeat(open.count { it.isStalled }) { behaviour.ends() }
        open.clear()
        super.channelInactive(context)
    }

    @Deprecated("Netty deprecates it")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        context.close()
    }

    private companion object {
        const val TRICKLE_MILLIS = 100L
    }
}
