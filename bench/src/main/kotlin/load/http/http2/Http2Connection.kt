package threadgauge.load.http.http2

import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelPromise
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2FrameAdapter
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.ssl.ApplicationProtocolNames
import io.netty.handler.ssl.SslHandler
import io.netty.handler.ssl.SslHandshakeCompletionEvent
import io.netty.util.collection.IntObjectHashMap
import threadgauge.model.Outcome

/**
 * One TCP connection of HTTP/2 for [link]: its handlers, and the requests under way by stream. A link uses one
 * connection after the other; an earlier one may still be finishing its requests.
 *
 * Belongs to one event loop.
 */
internal class Http2Connection(
    private val link: ReconnectingHttp2,
    private val maxHeaderBytes: Int,
) : ChannelInitializer<Channel>() {
    private val streams = IntObjectHashMap<Stream>()
    private lateinit var context: ChannelHandlerContext
    private lateinit var codec: StreamErrorCodec
    private var channel: Channel? = null
    private var retired = false

    /** An answer is being read: requests sent meanwhile leave with the flush at the end of the read. */
    private var reading = false

    /** True while the connection accepts new streams. */
    var usable = false
        private set

    override fun initChannel(channel: Channel) {
        this.channel = channel
        codec = StreamErrorCodec.of(Frames(), Errors(), maxHeaderBytes)
        channel.pipeline().addLast(codec, Handshake())
    }

    /** Opens a stream for [slot]; false if this connection has no stream id left for it. */
    fun send(slot: Http2Slot): Boolean {
        val id = codec.connection().local().incrementAndGetNextStreamId()
        if (id <= 0) {
            retire(lastStreamId = Int.MAX_VALUE)
            return false
        }
        val stream = Stream(id, slot)
        streams.put(id, stream)
        slot.began(stream)
        val request = slot.question.http2(slot.target)
        val headers = request.headers(slot.number, slot.course, slot.cookies)
        codec.encoder().writeHeaders(context, id, headers, 0, !request.hasBody, failing(stream))
        if (request.hasBody) {
            val body = request.body(slot.number, slot.course)
            codec.encoder().writeData(context, id, body, 0, true, context.newPromise())
        }
        if (!reading) codec.flush(context)
        return true
    }

    /** A request of [slot] under way. */
    private inner class Stream(val id: Int, val slot: Http2Slot) : Http2Stream {
        override fun cancel() {
            if (streams.remove(id) == null) return
            reset(Http2Error.CANCEL)
            closeIfDone()
        }

        fun failed(outcome: Outcome) {
            if (streams.remove(id) == null) return
            slot.failed(outcome)
            closeIfDone()
        }

        /** The connection is lost. A stream that the codec has not opened yet was never sent. */
        fun lost(outcome: Outcome) = failed(if (neverLeft) Outcome.UNPROCESSED else outcome)

        val neverLeft get() = codec.connection().stream(id) == null

        fun reset(error: Http2Error) {
            codec.encoder().writeRstStream(context, id, error.code(), context.newPromise())
            codec.flush(context)
        }
    }

    private fun failing(stream: Stream): ChannelPromise = context.newPromise().also { promise ->
        promise.addListener { if (!it.isSuccess) stream.lost(Outcome.RESET) }
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
        if (stream.slot.isWellFormed) stream.slot.complete(usable) else stream.slot.failed(Outcome.STREAM_MALFORMED)
        reading = false
        closeIfDone()
    }

    private fun closeIfDone() {
        if (retired && streams.isEmpty()) channel?.close()
    }

    /**
     * The server accepts no new streams and has not processed those beyond [lastStreamId] (GOAWAY, RFC 9113, section
     * 6.8); the others are finished.
     */
    private fun retire(lastStreamId: Int) {
        retired = true
        usable = false
        link.left(this, Outcome.UNPROCESSED)
        for (stream in streams.values.filter { it.id > lastStreamId || it.neverLeft }) {
            // A request that waits in the codec must not be sent later.
            if (stream.neverLeft) stream.reset(Http2Error.CANCEL)
            stream.failed(Outcome.UNPROCESSED)
        }
        closeIfDone()
    }

    private fun gone(outcome: Outcome) {
        usable = false
        link.left(this, outcome)
        // Some requests may be on a connection that the link has already given up.
        streams.values.toList().forEach { it.lost(outcome) }
        channel?.close()
    }

    private inner class Errors : StreamErrorCodec.Listener {
        override fun streamError(id: Int, outcome: Outcome) {
            streams.get(id)?.failed(outcome)
        }

        override fun ended(outcome: Outcome) = gone(outcome)
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
            val refused = errorCode == Http2Error.REFUSED_STREAM.code()
            streams.get(streamId)?.failed(if (refused) Outcome.UNPROCESSED else Outcome.STREAM_RESET)
        }

        override fun onGoAwayRead(
            context: ChannelHandlerContext,
            lastStreamId: Int,
            errorCode: Long,
            debugData: ByteBuf,
        ) =
            retire(lastStreamId)
    }

    /** Checks whether TLS agreed on HTTP/2. */
    private inner class Handshake : ChannelInboundHandlerAdapter() {
        override fun handlerAdded(context: ChannelHandlerContext) {
            this@Http2Connection.context = context.pipeline().context(codec)
        }

        override fun userEventTriggered(context: ChannelHandlerContext, event: Any) {
            if (event !is SslHandshakeCompletionEvent) return
            val agreed = context.pipeline().get(SslHandler::class.java).applicationProtocol()
            if (event.isSuccess) link.agreed(context.channel())
            if (event.isSuccess && agreed == ApplicationProtocolNames.HTTP_2) return
            link.disagreed(event.cause())
            gone(Outcome.TLS_FAILED)
        }

        @Deprecated("Netty's own name for it")
        override fun exceptionCaught(context: ChannelHandlerContext, cause: Throwable) = gone(Outcome.RESET)
    }
}
