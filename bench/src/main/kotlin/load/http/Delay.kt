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
 * Makes a connection as slow as one over a longer distance. What is sent and received waits for half of
 * [roundTripNanos], and the connection counts as open after a whole round trip, which is what the TCP handshake takes
 * (RFC 9293, section 3.5). Nothing is lost, and bandwidth stays the same. It comes before all other handlers, so that
 * the TLS handshake is delayed too.
 *
 * The channel must allow half-closed connections, because the end of the received stream is delayed too. Belongs to one
 * event loop.
 */
internal class Delay(private val roundTripNanos: Long) : ChannelDuplexHandler() {
    private val oneWayNanos = roundTripNanos / 2

    /** Events on their way from the server, in order. */
    private val arriving = ArrayDeque<() -> Unit>()

    /** When the connection counts as open, by the event loop's clock; nothing arrives earlier. */
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

    /** A failure arrives after what preceded it. */
    @Deprecated("of ChannelHandler, not of ChannelInboundHandler")
    override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) =
        arrive(context) { context.fireExceptionCaught(cause) }

    /** If the connection breaks, even before it counts as open, everything that is on its way arrives first. */
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

    /** Scheduled tasks with the same delay run in the order in which they were scheduled. */
    private fun leave(context: ChannelHandlerContext, order: () -> Unit) {
        context.executor().schedule(order, oneWayNanos, NANOSECONDS)
    }

    /** [handlers] behind a [Delay]. */
    class Before(private val roundTripNanos: Long, private val handlers: ChannelHandler) :
        ChannelInitializer<Channel>() {
        override fun initChannel(channel: Channel) {
            channel.pipeline().addLast(Delay(roundTripNanos), handlers)
        }
    }
}
