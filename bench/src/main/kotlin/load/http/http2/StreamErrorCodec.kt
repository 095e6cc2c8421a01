package threadgauge.load.http.http2

import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder
import io.netty.handler.codec.http2.DefaultHttp2Connection
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController
import io.netty.handler.codec.http2.Http2ConnectionDecoder
import io.netty.handler.codec.http2.Http2ConnectionEncoder
import io.netty.handler.codec.http2.Http2ConnectionHandler
import io.netty.handler.codec.http2.Http2Exception
import io.netty.handler.codec.http2.Http2FrameListener
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.codec.http2.UniformStreamByteDistributor
import threadgauge.model.Outcome

/**
 * Netty's client codec, with a [Listener] for errors. Without one, Netty resets the stream or closes the connection by
 * itself, and the request waits for an answer that never comes. Belongs to one event loop.
 */
internal class StreamErrorCodec(
    decoder: Http2ConnectionDecoder,
    encoder: Http2ConnectionEncoder,
    settings: Http2Settings,
    private val listener: Listener,
) : Http2ConnectionHandler(decoder, encoder, settings) {
    interface Listener {
        /**
         * The answer on stream [id] violates the protocol, or exceeds a limit of ours. The stream is about to be reset.
         */
        fun streamError(id: Int, outcome: Outcome)

        /** The connection has ended with [outcome]. */
        fun ended(outcome: Outcome)
    }

    /** Reports the end of the connection before the codec closes each of its streams. */
    override fun channelInactive(context: ChannelHandlerContext) {
        listener.ended(Outcome.RESET)
        super.channelInactive(context)
    }

    override fun onStreamError(
        context: ChannelHandlerContext, outbound: Boolean, cause: Throwable, error: Http2Exception.StreamException,
    ) {
        val outcome = if (outbound) Outcome.RESET else outcomeOf(error, Outcome.STREAM_MALFORMED)
        listener.streamError(error.streamId(), outcome)
        super.onStreamError(context, outbound, cause, error)
    }

    override fun onConnectionError(
        context: ChannelHandlerContext, outbound: Boolean, cause: Throwable, error: Http2Exception?,
    ) {
        super.onConnectionError(context, outbound, cause, error)
        listener.ended(if (error == null || outbound) Outcome.RESET else outcomeOf(error, Outcome.MALFORMED))
    }

    private fun outcomeOf(error: Http2Exception, otherwise: Outcome): Outcome {
        val isTooLong = error is Http2Exception.HeaderListSizeException || error.message.orEmpty().startsWith(TOO_LONG)
        return if (isTooLong) Outcome.HEADERS_TOO_LONG else otherwise
    }

    private class Builder(private val listener: Listener) :
        AbstractHttp2ConnectionHandlerBuilder<StreamErrorCodec, Builder>() {
        fun codec(frames: Http2FrameListener, maxHeaderBytes: Int): StreamErrorCodec {
            val connection = DefaultHttp2Connection(false)
            // All requests are alike, so none has priority; weighting them is a good part of the cost of the default
            // distributor.
            connection.remote()
                .flowController(DefaultHttp2RemoteFlowController(connection, UniformStreamByteDistributor(connection)))
            connection(connection)
            frameListener(frames)
            initialSettings(
                Http2Settings.defaultSettings().pushEnabled(false).initialWindowSize(WINDOW_BYTES)
                    .maxHeaderListSize(maxHeaderBytes.toLong()),
            )
            encoderEnforceMaxConcurrentStreams(true)
            encoderIgnoreMaxHeaderListSize(true)
            decoderEnforceMaxSmallContinuationFrames(MAX_SMALL_FRAMES)
            gracefulShutdownTimeoutMillis(0)
            return build()
        }

        override fun build(
            decoder: Http2ConnectionDecoder, encoder: Http2ConnectionEncoder, settings: Http2Settings,
        ) = StreamErrorCodec(decoder, encoder, settings, listener)
    }

    companion object {
        /** Response heads may have [maxHeaderBytes], counted as in RFC 9113, section 6.5.2. */
        fun of(frames: Http2FrameListener, listener: Listener, maxHeaderBytes: Int): StreamErrorCodec =
            Builder(listener).codec(frames, maxHeaderBytes)
    }
}

/** Large enough that an answer of ordinary size never waits for a window update. */
private const val WINDOW_BYTES = 1024 * 1024

/**
 * Most CONTINUATION frames of less than 8 KiB in one head. Netty's default of 16 is too low for heads of a megabyte.
 * Netty copies the earlier ones for each of them, so there must be a limit.
 */
private const val MAX_SMALL_FRAMES = 256

/** Beginning of Netty's message when it closes the connection because of a head that is too long. */
private const val TOO_LONG = "Header size exceeded max allowed size"
