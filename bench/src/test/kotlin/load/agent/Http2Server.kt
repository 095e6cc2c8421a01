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
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2FrameCodec
import io.netty.handler.codec.http2.Http2FrameCodecBuilder
import io.netty.handler.codec.http2.Http2FrameWriter
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2HeadersFrame
import io.netty.handler.codec.http2.Http2MultiplexHandler
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.codec.http2.Http2StreamChannel
import io.netty.handler.ssl.SslContext
import io.netty.util.ReferenceCountUtil
import java.net.InetSocketAddress
import java.util.concurrent.atomic.AtomicInteger

/** An HTTP/2 server that does what a test specifies, on Netty's own server codec. */
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
                // The client announces how long a head may be; a server that obeyed could send none that is too long.
                val codec = Http2FrameCodecBuilder.forServer().initialSettings(settings).validateHeaders(false)
                    .encoderIgnoreMaxHeaderListSize(true).build()
                channel.pipeline().addLast(codec, Http2MultiplexHandler(Streams()))
            }
        }).bind(InetSocketAddress("127.0.0.1", 0)).sync().channel()

    val port = (listening.localAddress() as InetSocketAddress).port

    override fun close() {
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync()
    }

    /** One request, with functions to answer it. */
    internal class Stream(private val context: ChannelHandlerContext, val headers: Http2Headers, val body: String) {
        fun answer(body: String = "ok", status: String = "200", headers: DefaultHttp2Headers.() -> Unit = {}) {
            context.write(DefaultHttp2HeadersFrame(DefaultHttp2Headers(false).apply { status(status) }.apply(headers)))
            context.writeAndFlush(DefaultHttp2DataFrame(Unpooled.copiedBuffer(body, Charsets.UTF_8), true))
        }

        fun answerWith(coding: String, body: ByteArray) {
            context.write(DefaultHttp2HeadersFrame(DefaultHttp2Headers().status("200").add("content-encoding", coding)))
            context.writeAndFlush(DefaultHttp2DataFrame(Unpooled.wrappedBuffer(body), true))
        }

        fun later(millis: Long, what: () -> Unit) {
            context.executor().schedule(what, millis, java.util.concurrent.TimeUnit.MILLISECONDS)
        }

        /** An interim answer. */
        fun interim(headers: Http2Headers) {
            context.write(DefaultHttp2HeadersFrame(headers))
        }

        /** An answer without a body. */
        fun headOnly(status: String, headers: DefaultHttp2Headers.() -> Unit) {
            val head = DefaultHttp2Headers(false).apply { status(status) }.apply(headers)
            context.writeAndFlush(DefaultHttp2HeadersFrame(head, true))
        }

        fun answerWithTrailers() {
            context.write(DefaultHttp2HeadersFrame(DefaultHttp2Headers().status("200")))
            context.write(DefaultHttp2DataFrame(Unpooled.copiedBuffer("ok", Charsets.UTF_8), false))
            context.writeAndFlush(DefaultHttp2HeadersFrame(DefaultHttp2Headers().add("x-sum", "1"), true))
        }

        fun reset(error: Http2Error = Http2Error.INTERNAL_ERROR) {
            context.writeAndFlush(DefaultHttp2ResetFrame(error))
        }

        /** Sends GOAWAY: no new streams on this connection, but this one is still answered. */
        fun goAway() {
            context.channel().parent().writeAndFlush(DefaultHttp2GoAwayFrame(0L))
        }

        /** The same, and no stream after this one was processed. */
        fun goAwayAfterThis() {
            val id = (context.channel() as Http2StreamChannel).stream().id()
            val connection = context.channel().parent().pipeline().get(Http2FrameCodec::class.java)
            connection.encoder().writeGoAway(
                context.channel().parent().pipeline().context(connection), id, 0L, Unpooled.EMPTY_BUFFER,
                context.channel().parent().newPromise(),
            )
            context.channel().parent().flush()
        }

        /** A body before its head. */
        fun answerBackwards() = raw { connection, id ->
            val body = Unpooled.copiedBuffer("ok", Charsets.UTF_8)
            writeData(connection, id, body, 0, false, connection.newPromise())
            writeHeaders(connection, id, DefaultHttp2Headers().status("200"), 0, true, connection.newPromise())
        }

        /** A reset after the complete answer, which means that the rest of the request is not needed. */
        fun resetWhenAnswered() {
            raw { connection, id ->
                val body = Unpooled.copiedBuffer("ok", Charsets.UTF_8)
                writeHeaders(connection, id, DefaultHttp2Headers().status("200"), 0, false, connection.newPromise())
                writeData(connection, id, body, 0, true, connection.newPromise())
                writeRstStream(connection, id, Http2Error.NO_ERROR.code(), connection.newPromise())
            }
        }

        /** Frames as given, whatever the state of the stream. */
        private fun raw(write: Http2FrameWriter.(ChannelHandlerContext, id: Int) -> Unit) {
            val channel = context.channel() as Http2StreamChannel
            val codec = channel.parent().pipeline().get(Http2FrameCodec::class.java)
            codec.encoder().frameWriter().write(channel.parent().pipeline().context(codec), channel.stream().id())
            channel.parent().flush()
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
