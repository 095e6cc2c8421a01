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
 * One connection. Requests may be sent before earlier ones are answered; answers leave in the order of the requests, each when its time
 * has come and those before it have left.
 */
internal class Conversation(private val conduct: Conduct) : SimpleChannelInboundHandler<HttpObject>() {
    private val open = ArrayDeque<Turn>()
    private var isFlushing = false

    /** A request under way. [answer] is there when its time has come. */
    private class Turn(val keepsAlive: Boolean) {
        var answer: String? = null
        var status: HttpResponseStatus = HttpResponseStatus.OK
        var isSlow = false
        var isStalled = false
    }

    override fun channelRead0(context: ChannelHandlerContext, message: HttpObject) {
        // Bodies are of no interest.
        if (message !is HttpRequest) return
        val turn = Turn(HttpUtil.isKeepAlive(message))
        open += turn
        if (message.decoderResult().isFailure) return now(context, turn, HttpResponseStatus.BAD_REQUEST, "this is not HTTP")
        when (val asked = read(message.method().name(), message.uri())) {
            is Asked.Result -> later(context, turn, asked)
            is Asked.Behave -> {
                conduct.behave(asked.errors, asked.stalls, asked.slow)
                now(context, turn, HttpResponseStatus.OK, "errors ${asked.errors} %, stalls ${asked.stalls} %, slow ${asked.slow} %")
            }
            Asked.Stats -> now(
                context, turn, HttpResponseStatus.OK,
                "requests ${conduct.requests}\nwaiting ${conduct.waiting}\nmost waiting ${conduct.mostWaiting}\n",
            )
            is Asked.Wrong -> now(context, turn, HttpResponseStatus.valueOf(asked.status), asked.why)
        }
    }

    private fun later(context: ChannelHandlerContext, turn: Turn, asked: Asked.Result) {
        val fate = conduct.next()
        conduct.begins()
        if (fate == Fate.STALL) {
            turn.isStalled = true
            return
        }
        if (fate == Fate.ERROR) turn.status = HttpResponseStatus.INTERNAL_SERVER_ERROR
        turn.isSlow = fate == Fate.SLOW
        val answer = if (fate == Fate.ERROR) "upstream failed as it was told to" else "result${asked.index}"
        val answering = Runnable {
            conduct.ends()
            turn.answer = answer
            send(context)
        }
        if (asked.millis == 0L) answering.run() else context.executor().schedule(answering, asked.millis, TimeUnit.MILLISECONDS)
    }

    private fun now(context: ChannelHandlerContext, turn: Turn, status: HttpResponseStatus, answer: String) {
        turn.status = status
        turn.answer = answer
        send(context)
    }

    /** Sends whatever may leave now. */
    private fun send(context: ChannelHandlerContext) {
        var isWritten = false
        while (!isFlushing) {
            val turn = open.peekFirst()?.takeIf { it.answer != null } ?: break
            open.removeFirst()
            isWritten = true
            val body = Unpooled.wrappedBuffer(checkNotNull(turn.answer).toByteArray())
            if (turn.isSlow) trickle(context, turn, body) else {
                val response = DefaultFullHttpResponse(HttpVersion.HTTP_1_1, turn.status, body)
                val sent = context.write(headed(response, body.readableBytes(), turn))
                if (!turn.keepsAlive) sent.addListener(ChannelFutureListener.CLOSE)
            }
        }
        if (isWritten) context.flush()
    }

    /** One byte at a time, with a pause after each. */
    private fun trickle(context: ChannelHandlerContext, turn: Turn, body: ByteBuf) {
        isFlushing = true
        context.writeAndFlush(headed(DefaultHttpResponse(HttpVersion.HTTP_1_1, turn.status), body.readableBytes(), turn))
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
                if (!turn.keepsAlive) sent.addListener(ChannelFutureListener.CLOSE)
                isFlushing = false
                send(context)
            }
        }
        next()
    }

    private fun headed(response: HttpResponse, length: Int, turn: Turn): HttpResponse = response.apply {
        headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain;charset=UTF-8").setInt(HttpHeaderNames.CONTENT_LENGTH, length)
        if (!turn.keepsAlive) headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
    }

    /** Stalled requests wait until their client goes. */
    override fun channelInactive(context: ChannelHandlerContext) {
        repeat(open.count { it.isStalled }) { conduct.ends() }
        open.clear()
        super.channelInactive(context)
    }

    @Deprecated("Netty's own name for it")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) {
        context.close()
    }

    private companion object {
        const val TRICKLE_MILLIS = 100L
    }
}
