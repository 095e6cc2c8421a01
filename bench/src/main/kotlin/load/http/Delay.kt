package threadgauge.load.http

import io.netty.channel.Channel
import io.netty.channel.ChannelDuplexHandler
import io.netty.channel.ChannelHandler
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelPromise
import io.netty.channel.socket.ChannelInputShutdownEvent
import java.util.ArrayDeque
import java.util.concurrent.TimeUnit.NANOSECONDS

/**
 * Makes a connection as slow as one over a longer way: what is sent and what is received waits for half of
 * [roundTripNanos], and the connection counts as open after one whole round trip, which is what the handshake of TCP
 * takes (RFC 9293, section 3.5). Nothing is lost, and as much goes through at a time as before. It comes first of all
 * handlers, so that the handshake of TLS takes the longer way, too.
 *
 * The channel must allow half-closed connections: the end of what is received comes in its turn, too.
 */
internal class Delay(private val roundTripNanos: Long) : ChannelDuplexHandler() {
    private val oneWayNanos = roundTripNanos / 2

    /** What is on its way from the server, in its order. */
    private val arriving = ArrayDeque<() -> Unit>()

    /** By the monotonic clock of the system; nothing arrives before. */
    private var openAtNanos = 0L

    override fun channelActive(context: ChannelHandlerContext) {
        openAtNanos = context.executor().ticker().nanoTime() + roundTripNanos
        arrive(context) { context.fireChannelActive() }
    }

    override fun channelRead(context: ChannelHandlerContext, message: Any) =
        arrive(context) { context.fireChannelRead(message) }

    override fun channelReadComplete(context: ChannelHandlerContext) =
        arrive(context) { context.fireChannelReadComplete() }

    override fun userEventTriggered(context: ChannelHandlerContext, event: Any) {
        if (event is ChannelInputShutdownEvent) {
            arrive(context) { context.close() }
        } else {
            context.fireUserEventTriggered(event)
        }
    }

    /** A failure comes after what came before it. */
    @Deprecated("of ChannelHandler, not of ChannelInboundHandler")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) =
        arrive(context) { context.fireExceptionCaught(cause) }

    /**
     * A connection that breaks, though it be before it counts as open, gives up what was on its way only after it has
     * come.
     */
    override fun channelInactive(context: ChannelHandlerContext) {
        while (true) arriving.poll()?.invoke() ?: break
        context.fireChannelInactive()
    }

    override fun write(context: ChannelHandlerContext, message: Any, promise: ChannelPromise) =
        leave(context) { context.write(message, promise) }

    override fun flush(context: ChannelHandlerContext) = leave(context) { context.flush() }

    private fun arrive(context: ChannelHandlerContext, event: () -> Unit) {
        arriving += event
        val untilOpen = openAtNanos - context.executor().ticker().nanoTime()
        context.executor().schedule({ arriving.poll()?.invoke() }, maxOf(oneWayNanos, untilOpen), NANOSECONDS)
    }

    /** Tasks that are due in the order in which they were made run in that order. */
    private fun leave(context: ChannelHandlerContext, order: () -> Unit) {
        context.executor().schedule(order, oneWayNanos, NANOSECONDS)
    }

    /** [handlers] behind a delay. */
    class Before(private val roundTripNanos: Long, private val handlers: ChannelHandler) :
        ChannelInitializer<Channel>() {
        override fun initChannel(channel: Channel) {
            channel.pipeline().addLast(Delay(roundTripNanos), handlers)
        }
    }
}
