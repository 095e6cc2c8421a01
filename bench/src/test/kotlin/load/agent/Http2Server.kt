package threadgauge.load.agent

import io.netty.bootstrap.ServerBootstrap
import io.netty.buffer.Unpooled
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioServerSocketChannel
import io.netty.handler.codec.http2.DefaultHttp2DataFrame
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame
import io.netty.handler.codec.http2.DefaultHttp2Headers
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame
import io.netty.handler.codec.http2.Http2DataFrame
import io.netty.handler.codec.http2.Http2FrameCodecBuilder
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2HeadersFrame
import io.netty.handler.codec.http2.Http2MultiplexHandler
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.ssl.SslContext
import io.netty.util.ReferenceCountUtil
import java.net.InetSocketAddress
import java.util.concurrent.atomic.AtomicInteger

/** A server of HTTP/2 that does what a test tells it to, with Netty's own codec, so that two implementations meet. */
internal class Http2Server(
    tls: SslContext? = null,
    maxStreams: Long = 1_000,
    private val serve: Stream.(number: Int) -> Unit,
) : AutoCloseable {
    private val group = MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())
    val connections = AtomicInteger()
    val requests = AtomicInteger()

    private val listening: Channel = ServerBootstrap().group(group).channel(NioServerSocketChannel::class.java)
        .childHandler(object : ChannelInitializer<Channel>() {
            override fun initChannel(channel: Channel) {
                connections.incrementAndGet()
                if (tls != null) channel.pipeline().addLast(tls.newHandler(channel.alloc()))
                val settings = Http2Settings.defaultSettings().maxConcurrentStreams(maxStreams)
                val codec = Http2FrameCodecBuilder.forServer().initialSettings(settings).build()
                channel.pipeline().addLast(codec, Http2MultiplexHandler(Streams()))
            }
        }).bind(InetSocketAddress("127.0.0.1", 0)).sync().channel()

    val port = (listening.localAddress() as InetSocketAddress).port

    override fun close() {
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync()
    }

    /** One request, and the means to answer it. */
    internal class Stream(private val context: ChannelHandlerContext, val headers: Http2Headers, val body: String) {
        fun answer(body: String = "ok", status: String = "200", headers: DefaultHttp2Headers.() -> Unit = {}) {
            context.write(DefaultHttp2HeadersFrame(DefaultHttp2Headers().apply { status(status) }.apply(headers)))
            context.writeAndFlush(DefaultHttp2DataFrame(Unpooled.copiedBuffer(body, Charsets.UTF_8), true))
        }

        fun later(millis: Long, what: () -> Unit) {
            context.executor().schedule(what, millis, java.util.concurrent.TimeUnit.MILLISECONDS)
        }

        fun reset() {
            context.writeAndFlush(DefaultHttp2ResetFrame(2L))
        }

        /** No new streams on this connection; this one is still answered. */
        fun goAway() {
            context.channel().parent().writeAndFlush(DefaultHttp2GoAwayFrame(0L))
        }

        fun closeConnection() {
            context.channel().parent().close()
        }
    }

    private inner class Streams : ChannelInitializer<Channel>() {
        override fun initChannel(channel: Channel) {
            channel.pipeline().addLast(Handler())
        }
    }

    private inner class Handler : ChannelInboundHandlerAdapter() {
        private lateinit var headers: Http2Headers
        private val body = StringBuilder()

        override fun channelRead(context: ChannelHandlerContext, message: Any) {
            val ends = when (message) {
                is Http2HeadersFrame -> message.isEndStream.also { headers = message.headers() }
                is Http2DataFrame ->
                    message.isEndStream.also { body.append(message.content().toString(Charsets.UTF_8)) }
                else -> false
            }
            ReferenceCountUtil.release(message)
            if (ends) Stream(context, headers, body.toString()).serve(requests.getAndIncrement())
        }
    }
}
