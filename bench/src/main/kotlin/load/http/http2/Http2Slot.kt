package threadgauge.load.http.http2

import io.netty.buffer.ByteBuf
import io.netty.handler.codec.http2.Http2Headers
import io.netty.util.AsciiString
import threadgauge.load.http.AnswerCheck
import threadgauge.load.http.Slot
import threadgauge.model.Outcome

/** One stream at a time of a connection of HTTP/2 that other slots share. */
internal class Http2Slot(
    target: Int,
    private val link: ReconnectingHttp2,
    private val answers: AnswerCheck,
    private val scratch: ByteArray,
    listener: Listener,
) : Slot(target, listener) {
    private val body = answers.newBody()
    private var stream: Http2Stream? = null
    private var status = 0
    private var gzipped = false

    init {
        link.join(this)
    }

    override fun connect() {
        check(state == State.CLOSED) { "slot is $state" }
        state = State.CONNECTING
        link.connect(this)
    }

    override fun send() {
        check(state == State.IDLE) { "slot is $state" }
        state = State.BUSY
        status = 0
        gzipped = false
        body.clear()
        stream = link.send(this)
        if (stream == null) failed(Outcome.RESET)
    }

    override fun abandon(outcome: Outcome) {
        stream?.cancel()
        failed(outcome)
    }

    /** Closes the connection of all that share it. */
    override fun close() {
        state = State.CLOSED
        link.close()
    }

    fun opened(first: Boolean) {
        if (state != State.CONNECTING) return
        state = State.IDLE
        listener.connected(this, opened = first)
    }

    fun head(headers: Http2Headers) {
        val text = headers.status() ?: return
        status = AsciiString.of(text).parseInt()
        val encoding = headers[CONTENT_ENCODING_NAME]
        if (encoding != null) gzipped = AsciiString.contains(encoding, "gzip")
    }

    fun data(data: ByteBuf) {
        while (data.isReadable) {
            val count = minOf(data.readableBytes(), scratch.size)
            data.readBytes(scratch, 0, count)
            body.take(scratch, 0, count)
        }
    }

    /** The answer is whole. Not [usable]: the connection takes no more requests. */
    fun complete(usable: Boolean) {
        if (state != State.BUSY) return
        val outcome = answers.outcomeOf(status, gzipped, body)
        state = if (usable) State.IDLE else State.CLOSED
        listener.answered(this, outcome)
    }

    fun failed(outcome: Outcome) {
        stream = null
        if (state != State.BUSY && state != State.CONNECTING) return
        state = State.CLOSED
        listener.failed(this, outcome)
    }

    /** The connection takes no more requests; one under way hears of its end from its stream. */
    fun left() {
        if (state != State.IDLE) return
        state = State.CLOSED
        listener.closedWhileIdle(this)
    }
}

private val CONTENT_ENCODING_NAME = AsciiString.cached("content-encoding")
