package threadgauge.load.http.clause

import io.netty.buffer.Unpooled
import io.netty.channel.embedded.EmbeddedChannel
import io.netty.handler.codec.http.HttpContent
import io.netty.handler.codec.http.HttpDecoderConfig
import io.netty.handler.codec.http.HttpObject
import io.netty.handler.codec.http.HttpResponse
import io.netty.handler.codec.http.HttpResponseDecoder
import io.netty.handler.codec.http.HttpStatusClass
import io.netty.handler.codec.http.LastHttpContent
import io.netty.util.ReferenceCountUtil

/** The result of Netty's decoder for an answer to GET, as [verdict], but without the state of the connection. */
internal fun nettyVerdict(bytes: ByteArray): String {
    val channel = EmbeddedChannel(HttpResponseDecoder(CONFIG))
    channel.writeInbound(Unpooled.wrappedBuffer(bytes))
    channel.finish()
    val body = StringBuilder()
    var status = -1
    try {
        while (true) {
            val message = channel.readInbound<HttpObject>() ?: return CUT
            try {
                if (message.decoderResult().isFailure) return REFUSED
                if (message is HttpResponse) status = message.status().code()
                val isInterim = HttpStatusClass.valueOf(status) == HttpStatusClass.INFORMATIONAL && status != 101
                if (message is HttpContent && !isInterim) {
                    body.append(message.content().toString(Charsets.ISO_8859_1))
                    if (message is LastHttpContent) return "$status $body".trim()
                }
            } finally {
                ReferenceCountUtil.release(message)
            }
        }
    } finally {
        channel.releaseInbound()
    }
}

/** As lenient as possible, and with limits that no test reaches. */
private val CONFIG = HttpDecoderConfig().setMaxInitialLineLength(1_000_000).setMaxHeaderSize(1_000_000)
    .setMaxChunkSize(1_000_000).setAllowDuplicateContentLengths(true).setStrictLineParsing(false)
    .setUseRfc9112TransferEncoding(false).setValidateHeaders(false)
