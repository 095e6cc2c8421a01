package threadgauge.load.http.http2

import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelPromise
import io.netty.handler.codec.http2.DefaultHttp2Connection
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController
import io.netty.handler.codec.http2.Http2ConnectionHandler
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2FrameAdapter
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.codec.http2.UniformStreamByteDistributor
import io.netty.handler.ssl.ApplicationProtocolNames
import io.netty.handler.ssl.SslHandler
import io.netty.handler.ssl.SslHandshakeCompletionEvent
import io.netty.util.collection.IntObjectHashMap
import threadgauge.model.Outcome

/**
 * One TCP connection of HTTP/2 for [link]: its handlers, and the requests under way, by stream. A link uses one after
 * the other; an earlier one may still finish its requests.
 *
 * Belongs to one event loop.
 */
internal class Http2Connection(
    private val link: ReconnectingHttp2,
    private val request: Http2Request,
) : ChannelInitializer<Channel>() {
    private val streams = IntObjectHashMap<Stream>()
    private lateinit var context: ChannelHandlerContext
    private lateinit var codec: Http2ConnectionHandler
    private var channel: Channel? = null
    private var retired = false

    /** An answer is being read: what is sent meanwhile leaves with the flush that ends the reading. */
    private var reading = false
    var usable = false
        private set

    override fun initChannel(channel: Channel) {
        this.channel = channel
        val connection = DefaultHttp2Connection(false)
        // All requests are alike, so none goes before another; weighing them is a good part of what the usual
        // distributor costs.
        connection.remote()
            .flowController(DefaultHttp2RemoteFlowController(connection, UniformStreamByteDistributor(connection)))
        codec = Http2ConnectionHandlerBuilder().connection(connection).frameListener(Frames()).validateHeaders(false)
            .initialSettings(Http2Settings.defaultSettings().pushEnabled(false).initialWindowSize(WINDOW_BYTES))
            .encoderEnforceMaxConcurrentStreams(true)
            .gracefulShutdownTimeoutMillis(0).build()
        channel.pipeline().addLast(codec, Ends())
    }

    fun send(slot: Http2Slot): Http2Stream? {
        val id = codec.connection().local().incrementAndGetNextStreamId()
        if (id <= 0) return null.also { retire(lastStreamId = Int.MAX_VALUE) }
        val stream = Stream(id, slot)
        streams.put(id, stream)
        codec.encoder().writeHeaders(context, id, request.headers(slot.number), 0, !request.hasBody, failing(stream))
        if (request.hasBody) {
            codec.encoder().writeData(context, id, request.body(slot.number), 0, true, context.newPromise())
        }
        if (!reading) codec.flush(context)
        return stream
    }

    /** A request of [slot] under way. */
    private inner class Stream(private val id: Int, val slot: Http2Slot) : Http2Stream {
        override fun cancel() {
            if (streams.remove(id) == null) return
            codec.encoder().writeRstStream(context, id, Http2Error.CANCEL.code(), context.newPromise())
            codec.flush(context)
        }

        fun failed(outcome: Outcome) {
            if (streams.remove(id) != null) slot.failed(outcome)
        }
    }

    private fun failing(stream: Stream): ChannelPromise = context.newPromise().also { promise ->
        promise.addListener { if (!it.isSuccess) stream.failed(Outcome.RESET) }
    }

    fun close() {
        usable = false
        channel?.close()
    }

    private fun opened() {
        if (retired || usable) return
        usable = true
        link.opened(this)
    }

    private fun ended(id: Int) {
        val stream = streams.remove(id) ?: return
        reading = true
        stream.slot.complete(usable)
        reading = false
        if (retired && streams.isEmpty()) channel?.close()
    }

    /** The server takes no new streams, and has not seen those beyond [lastStreamId]; the others come to their end. */
    private fun retire(lastStreamId: Int) {
        retired = true
        usable = false
        link.left(this, Outcome.RESET)
        streams.entries().filter { it.key() > lastStreamId }.map { it.value() }.forEach { it.failed(Outcome.RESET) }
        if (streams.isEmpty()) channel?.close()
    }

    /** What is left on a connection that the link has already given up. */
    private fun failAll(outcome: Outcome) {
        streams.values.toList().forEach { it.failed(outcome) }
    }

    private inner class Frames : Http2FrameAdapter() {
        override fun onSettingsRead(context: ChannelHandlerContext, settings: Http2Settings) = opened()

        override fun onHeadersRead(
            context: ChannelHandlerContext, streamId: Int, headers: Http2Headers, padding: Int, endOfStream: Boolean,
        ) {
            streams.get(streamId)?.slot?.head(headers)
            if (endOfStream) ended(streamId)
        }

        override fun onHeadersRead(
            context: ChannelHandlerContext, streamId: Int, headers: Http2Headers, streamDependency: Int, weight: Short,
            exclusive: Boolean, padding: Int, endOfStream: Boolean,
        ) = onHeadersRead(context, streamId, headers, padding, endOfStream)

        override fun onDataRead(
            context: ChannelHandlerContext, streamId: Int, data: ByteBuf, padding: Int, endOfStream: Boolean,
        ): Int {
            val bytes = data.readableBytes() + padding
            streams.get(streamId)?.slot?.data(data)
            if (endOfStream) ended(streamId)
            return bytes
        }

        override fun onRstStreamRead(context: ChannelHandlerContext, streamId: Int, errorCode: Long) {
            streams.get(streamId)?.failed(Outcome.RESET) ?: Unit
        }

        override fun onGoAwayRead(
            context: ChannelHandlerContext,
            lastStreamId: Int,
            errorCode: Long,
            debugData: ByteBuf,
        ) =
            retire(lastStreamId)
    }

    /** Knows when the connection is ready for its first frame, and when it has ended. */
    private inner class Ends : ChannelInboundHandlerAdapter() {
        override fun handlerAdded(context: ChannelHandlerContext) {
            this@Http2Connection.context = context.pipeline().context(codec)
        }

        override fun userEventTriggered(context: ChannelHandlerContext, event: Any) {
            if (event !is SslHandshakeCompletionEvent) return
            val agreed = context.pipeline().get(SslHandler::class.java).applicationProtocol()
            if (!event.isSuccess || agreed != ApplicationProtocolNames.HTTP_2) gone(Outcome.TLS_FAILED)
        }

        override fun channelInactive(context: ChannelHandlerContext) = gone(Outcome.RESET)

        /** The codec answers a breach of the protocol itself, by GOAWAY, and closes. */
        @Deprecated("Netty's own name for it")
        override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) = gone(Outcome.RESET)

        private fun gone(outcome: Outcome) {
            usable = false
            link.left(this@Http2Connection, outcome)
            failAll(outcome)
            channel?.close()
        }
    }
}

/** Large enough that an answer of ordinary size never waits for the window to open. */
private const val WINDOW_BYTES = 1024 * 1024
