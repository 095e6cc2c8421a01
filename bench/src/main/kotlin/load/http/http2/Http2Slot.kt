package threadgauge.load.http.http2

import io.netty.buffer.ByteBuf
import io.netty.handler.codec.http2.Http2Headers
import io.netty.util.AsciiString
import threadgauge.load.http.Body
import threadgauge.load.http.CookieJar
import threadgauge.load.http.HeadWish
import threadgauge.load.http.OTHER_CODINGS
import threadgauge.load.http.Question
import threadgauge.load.http.Slot
import threadgauge.model.Outcome

/** One stream at a time of an HTTP/2 connection that other slots share. Belongs to one event loop. */
internal class Http2Slot(
    target: Int,
    private val link: ReconnectingHttp2,
    first: Question,
    private val scratch: ByteArray,
    /** Null if the user keeps none. */
    val cookies: CookieJar?,
    listener: Listener,
) : Slot(target, listener) {
    /** By the index of their question. */
    private val bodies = ArrayList<Body?>()
    private val wish = HeadWish()
    private val answers get() = question.answers

    override var question: Question = first
        set(value) {
            if (field === value) return
            field = value
            body = bodyOf(value)
        }

    override var body: Body = bodyOf(first)
        private set
    private var stream: Http2Stream? = null
    override var status = 0
        private set
    override var contentType: String? = null
        private set
    override val length get() = contentLength?.toString()?.toLongOrNull() ?: -1
    private var gzipped = false
    private var coded = false
    private var isBodyFirst = false
    private var contentLength: CharSequence? = null

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
        coded = false
        isBodyFirst = false
        contentLength = null
        body.clear()
        wish.begin(question.wanted)
        if (!link.send(this)) failed(Outcome.UNPROCESSED)
    }

    /** The request under way is [stream], about to be sent. */
    fun began(stream: Http2Stream) {
        this.stream = stream
    }

    override fun abandon(outcome: Outcome) {
        stream?.cancel()
        failed(outcome)
    }

    override fun forget() {
        cookies?.clear()
    }

    private fun bodyOf(question: Question): Body {
        while (bodies.size <= question.index) bodies += null
        return bodies[question.index] ?: question.answers.newBody(this).also { bodies[question.index] = it }
    }

    /** Closes the connection of all slots that share it. */
    override fun close() {
        state = State.CLOSED
        link.close()
    }

    /** The connection is open; [first] is true for the slot that it was opened for. */
    fun opened(first: Boolean) {
        if (state != State.CONNECTING) return
        state = State.IDLE
        listener.connected(this, opened = first)
    }

    /** Headers of an interim answer, of the final one, or its trailers, which have no status. */
    fun head(headers: Http2Headers) {
        val text = headers.status() ?: return
        status = statusOf(text)
        contentLength = headers[CONTENT_LENGTH_NAME]
        if (answers.isObserved) contentType = headers[CONTENT_TYPE_NAME]?.toString()
        val encoding = headers[CONTENT_ENCODING_NAME]
        gzipped = encoding != null && AsciiString.containsIgnoreCase(encoding, "gzip")
        cookies?.let { jar -> headers.getAll(SET_COOKIE_NAME).forEach(jar::take) }
        if (!wish.isEmpty) {
            wish.clear()
            headers.forEach { (name, value) -> wish.take(name.toString(), value.toString()) }
        }
        coded = encoding != null && !AsciiString.contentEqualsIgnoreCase(encoding, "gzip") &&
            encoding.split(',').any { it.trim().lowercase() in OTHER_CODINGS }
    }

    /**
     * To be read when an answer has ended. It is well-formed (RFC 9113, sections 8.1, 8.1.1 and 8.3.2) if it has a
     * final status, which preceded its body, and is not empty although it declares a length. The codec checks all other
     * lengths.
     */
    val isWellFormed: Boolean get() {
        if (status < FIRST_FINAL || isBodyFirst) return false
        val length = contentLength
        val mustBeEmpty = question.headOnly || status == 204 || status == 304
        return mustBeEmpty || body.length > 0 || length == null || length.all { it == '0' }
    }

    fun data(data: ByteBuf) {
        if (status < FIRST_FINAL) isBodyFirst = true
        while (data.isReadable) {
            val count = minOf(data.readableBytes(), scratch.size)
            data.readBytes(scratch, 0, count)
            body.take(scratch, 0, count)
        }
    }

    /** The answer is complete. If not [usable], the connection accepts no more requests. */
    fun complete(usable: Boolean) {
        if (state != State.BUSY) return
        answers.ending(this)
        val outcome = question.outcomeOf(status, gzipped, coded, this, wish)
        state = if (usable) State.IDLE else State.CLOSED
        listener.answered(this, outcome)
    }

    fun failed(outcome: Outcome) {
        stream = null
        if (state != State.BUSY && state != State.CONNECTING) return
        answers.ending(this)
        state = State.CLOSED
        listener.failed(this, outcome)
    }

    /** The connection accepts no more requests. A request under way learns of its end from its stream. */
    fun left() {
        if (state != State.IDLE) return
        state = State.CLOSED
        listener.closedWhileIdle(this)
    }
}

private val CONTENT_ENCODING_NAME = AsciiString.cached("content-encoding")
private val SET_COOKIE_NAME = AsciiString.cached("set-cookie")
private val CONTENT_TYPE_NAME = AsciiString.cached("content-type")
private val CONTENT_LENGTH_NAME = AsciiString.cached("content-length")
private const val FIRST_FINAL = 200

/** Three digits; -1 for anything else. */
private fun statusOf(text: CharSequence): Int {
    if (text.length != 3 || text.any { it !in '0'..'9' }) return -1
    return (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0')
}
