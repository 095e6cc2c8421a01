package threadgauge.load.http.http1

import threadgauge.load.http.Body
import threadgauge.load.http.CookieJar
import threadgauge.load.http.HeadWish
import threadgauge.model.request.Connections

/**
 * Parses HTTP/1.1 responses from bytes as they arrive, in pieces of any size, and keeps only what is needed: the
 * status, whether the connection stays open, whether the body is compressed, and what [body] and [cookies] keep. The
 * result does not depend on where the pieces are cut.
 *
 * It accepts everything that RFC 9112 and RFC 9110 demand of a client, and rejects what has no clear meaning;
 * `ClausesTest` has the cases. Message lengths follow RFC 9112, section 6.3.
 *
 * Owned by one connection, and so by one event loop; not thread-safe. After [feed], look at [state]. A parser in state
 * [State.BROKEN] stays broken until [reset].
 */
internal class ResponseParser(
    body: Body = Body(),
    /** The answer is one to HEAD, which has no body. Changes only between two answers. */
    var headOnly: Boolean = false,
    cookies: CookieJar? = null,
    /** Longest head of one answer, interim answers included; also of a trailer, or of the line before a chunk. */
    private val maxHeaderBytes: Int = Connections.MAX_HEADER_BYTES,
    keepsType: Boolean = false,
    private val wish: HeadWish? = null,
) {
    /** The request asks for a WebSocket: what follows a 101 is its body. Changes only between two answers. */
    var upgrades = false

    /** Takes the body of the next answer. Changes only between two answers. */
    var body: Body = body
        set(value) {
            field = value
            value.clear()
        }

    /** DONE: the answer is complete. BROKEN: the bytes are no valid answer. */
    enum class State { HEAD, BODY, DONE, BROKEN }

    var state = State.HEAD
        private set
    var status = 0
        private set

    /** At least one byte of an answer has arrived. */
    var began = false
        private set

    /** Broken only because a head is longer than allowed. */
    var isTooLong = false
        private set

    /** The server declared that it closes the connection after this answer, or the body ends with the connection. */
    var closes = false
        private set

    /** The server asks for the body of the request (100 Continue). */
    var continues = false
        private set

    /** The answer leaves HTTP (101 Switching Protocols): the bytes after it are no answer. */
    val isSwitch get() = status == SWITCHING

    /** The body is compressed by gzip. */
    val gzipped get() = fields.gzipped

    /** The body has one of `OTHER_CODINGS`. */
    val coded get() = fields.coded

    /** The head is complete, and is that of a final answer. */
    val hasHead get() = state == State.DONE || step > Step.HEADER

    /** -1 if the head declares none. */
    val contentLength get() = fields.contentLength

    /** Null if the head has none, or if it is not kept. */
    val contentType get() = fields.contentType

    private val fields = HeadFields(cookies, keepsType, wish)

    /** Grows only if a line arrives in pieces, which is rare: with 18,000 connections every kilobyte here is 18 MB. */
    private var line = NOTHING
    private var lineLength = 0

    /** [line] is a complete header, unless the next line begins with a blank and so continues it. */
    private var lineEnded = false
    private var headBytes = 0
    private var step = Step.STATUS_LINE
    private var isOldVersion = false
    private var remaining = 0L

    private enum class Step { STATUS_LINE, HEADER, FIXED, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, UNTIL_CLOSE }

    /** Prepares the parser for the next answer on the same connection. */
    fun reset() {
        state = State.HEAD
        step = Step.STATUS_LINE
        status = 0
        began = false
        isTooLong = false
        closes = false
        continues = false
        fields.clear()
        body.clear()
        if (line.size > FREELY_KEPT_BYTES) line = NOTHING
        lineLength = 0
        lineEnded = false
        headBytes = 0
        remaining = 0
    }

    /** Parses `bytes[from, to)` until the answer is complete; returns the index after the last byte it used. */
    fun feed(bytes: ByteArray, from: Int, to: Int): Int {
        var at = from
        if (at < to) began = true
        while (at < to && state < State.DONE) {
            at = when (step) {
                Step.FIXED, Step.CHUNK -> feedCounted(bytes, at, to)
                Step.UNTIL_CLOSE -> to.also { body.take(bytes, at, to - at) }
                else -> feedLine(bytes, at, to)
            }
        }
        return if (state == State.BROKEN) to else at
    }

    /** The body ends here, as who reads it has found. */
    fun end() = Unit.also { state = State.DONE }

    /** To be called when the server has closed the connection. True if that properly ends the answer under way. */
    fun endOfStream(): Boolean {
        if (step == Step.UNTIL_CLOSE) state = State.DONE
        return state == State.DONE
    }

    private fun feedCounted(bytes: ByteArray, from: Int, to: Int): Int {
        val count = minOf(remaining, (to - from).toLong()).toInt()
        body.take(bytes, from, count)
        remaining -= count
        if (remaining == 0L) if (step == Step.FIXED) state = State.DONE else step = Step.CHUNK_END
        return from + count
    }

    private fun feedLine(bytes: ByteArray, from: Int, to: Int): Int {
        if (lineEnded) {
            lineEnded = false
            // A line that begins with a blank continues the previous one (obs-fold, RFC 9112, section 5.2).
            if (!isBlank(bytes[from])) return from.also { takeKeptLine() }
        }
        var end = from
        while (end < to && bytes[end] != LF) end++
        headBytes += minOf(end + 1, to) - from
        if (headBytes > maxHeaderBytes) return to.also { breakOff(tooLong = true) }
        if (end == to) {
            keep(bytes, from, to)
            refuseOtherProtocols()
            return to
        }
        val lineTo = if (end > from && bytes[end - 1] == CR) end - 1 else end
        val mayContinue = step == Step.HEADER && (lineLength > 0 || lineTo > from)
        when {
            mayContinue && (end + 1 == to || isBlank(bytes[end + 1])) -> {
                keepLast(bytes, from, lineTo, isSplit = end == from)
                lineEnded = lineLength > 0
                if (!lineEnded) takeKeptLine()
            }
            lineLength > 0 -> {
                keepLast(bytes, from, lineTo, isSplit = end == from)
                takeKeptLine()
            }
            else -> takeLine(bytes, from, lineTo)
        }
        return end + 1
    }

    private fun keep(bytes: ByteArray, from: Int, to: Int) {
        val count = to - from
        if (line.size < lineLength + count) line = line.copyOf(maxOf(128, 2 * (lineLength + count)))
        System.arraycopy(bytes, from, line, lineLength, count)
        lineLength += count
    }

    /** [isSplit]: the line feed is the first byte of its piece, so the carriage return before it is kept already. */
    private fun keepLast(bytes: ByteArray, from: Int, to: Int, isSplit: Boolean) {
        keep(bytes, from, to)
        if (isSplit && lineLength > 0 && line[lineLength - 1] == CR) lineLength--
    }

    private fun takeKeptLine() {
        val length = lineLength
        lineLength = 0
        takeLine(line, 0, length)
    }

    /** Rejects another protocol at once, because its server may send a greeting and then wait. */
    private fun refuseOtherProtocols() {
        if (step != Step.STATUS_LINE) return
        for (i in 0..<minOf(lineLength, HTTP_1.size)) if (line[i] != HTTP_1[i]) return breakOff()
    }

    private fun breakOff(tooLong: Boolean = false) {
        state = State.BROKEN
        isTooLong = tooLong
    }

    private fun takeLine(bytes: ByteArray, from: Int, to: Int) {
        when (step) {
            Step.STATUS_LINE -> takeStatusLine(bytes, from, to)
            Step.HEADER -> if (from == to) endOfHead() else if (!fields.take(bytes, from, to)) breakOff()
            Step.CHUNK_SIZE -> takeChunkSize(bytes, from, to)
            Step.CHUNK_END -> if (from == to) step = Step.CHUNK_SIZE else breakOff()
            Step.TRAILER -> if (from == to) state = State.DONE
            Step.FIXED, Step.CHUNK, Step.UNTIL_CLOSE -> error("a body has no lines")
        }
    }

    /** The reason phrase may be missing, and also the blank before it, which many servers omit. */
    private fun takeStatusLine(bytes: ByteArray, from: Int, to: Int) {
        val isHttp = to - from >= STATUS_END && startsWith(bytes, from, HTTP_1) &&
            bytes[from + MINOR_AT] in DIGITS && bytes[from + MINOR_AT + 1] == SPACE
        val ends = to - from == STATUS_END || to - from > STATUS_END && isBlank(bytes[from + STATUS_END])
        status = if (isHttp && ends) digits(bytes, from + MINOR_AT + 2, from + STATUS_END).toInt() else -1
        if (status < 0) return breakOff()
        isOldVersion = bytes[from + MINOR_AT] == '0'.code.toByte()
        step = Step.HEADER
    }

    private fun endOfHead() {
        val oldCloses = isOldVersion && (!fields.saysKeepAlive || fields.transferCoded)
        // The bytes after a 101 are not HTTP.
        closes = fields.saysClose || oldCloses || status == SWITCHING
        when {
            status in 100..199 && status != SWITCHING -> endOfInterimHead()
            status == SWITCHING && upgrades -> startBodyUntilClose()
            headOnly || status == 204 || status == 304 || status == SWITCHING -> state = State.DONE
            fields.chunked -> startBody(Step.CHUNK_SIZE)
            fields.transferCoded -> startBodyUntilClose()
            fields.lengthIsWrong -> breakOff()
            fields.contentLength == 0L -> state = State.DONE
            fields.contentLength > 0 -> startBody(Step.FIXED).also { remaining = fields.contentLength }
            else -> startBodyUntilClose()
        }
    }

    /** The fields of an interim answer do not apply to the final one (RFC 9110, section 15.2). */
    private fun endOfInterimHead() {
        continues = continues || status == 100
        closes = false
        fields.clear()
        wish?.clear()
        step = Step.STATUS_LINE
    }

    private fun startBodyUntilClose() {
        closes = true
        startBody(Step.UNTIL_CLOSE)
    }

    private fun startBody(next: Step) {
        headBytes = 0
        state = State.BODY
        step = next
    }

    private fun takeChunkSize(bytes: ByteArray, from: Int, to: Int) {
        var size = 0L
        var at = from
        while (at < to && size <= MAX_CHUNK_BYTES) {
            val digit = Character.digit(bytes[at].toInt(), 16)
            if (digit < 0) break
            size = size * 16 + digit
            at++
        }
        val hasDigits = at > from
        while (at < to && isBlank(bytes[at])) at++
        headBytes = 0
        when {
            !hasDigits || size > MAX_CHUNK_BYTES || at < to && bytes[at] != SEMICOLON -> breakOff()
            size == 0L -> step = Step.TRAILER
            else -> step = Step.CHUNK.also { remaining = size }
        }
    }
}

/** Longer than any real chunk; sixteen times as much still does not overflow. */
private const val MAX_CHUNK_BYTES = 1L shl 58

/** Index of the minor version in `HTTP/1.1 200 OK`. */
private const val MINOR_AT = 7

/** Index after the status in it. */
private const val STATUS_END = 12
private const val SWITCHING = 101
private val DIGITS = '0'.code.toByte()..'9'.code.toByte()

/** A connection keeps a line buffer of this size between two answers. */
private const val FREELY_KEPT_BYTES = 1024
internal val NOTHING = ByteArray(0)
