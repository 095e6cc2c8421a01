package threadgauge.load.http.http1

import threadgauge.load.http.Body
import threadgauge.load.http.CookieJar

/**
 * Reads HTTP/1.1 responses from bytes as they come, in pieces of any size, and keeps nothing of them but what is asked
 * for: the status, whether the connection stays open, whether the body is compressed, and what [body] and [cookies]
 * keep.
 *
 * Owned by one connection, so by one event loop; not safe for other threads. After [feed] look at [state]. A parser in
 * state [State.BROKEN] stays broken. Message lengths follow RFC 9112, section 6.3.
 */
internal class ResponseParser(
    val body: Body = Body(),
    private val headOnly: Boolean = false,
    private val cookies: CookieJar? = null,
) {
    enum class State { HEAD, BODY, DONE, BROKEN }

    var state = State.HEAD
        private set
    var status = 0
        private set

    /** The server said that it closes the connection after this answer, or the body ends with the connection. */
    var closes = false
        private set

    /** The server wants to see the body of the request (100 Continue). */
    var continues = false
        private set

    /** The body is compressed by gzip. */
    var gzipped = false
        private set

    /** Grows only where a line comes in pieces, which is rare: with 18,000 connections every kilobyte here is 18 MB. */
    private var line = NOTHING
    private var lineLength = 0
    private var headBytes = 0
    private var step = Step.STATUS_LINE
    private var contentLength = -1L
    private var chunked = false
    private var remaining = 0L

    private enum class Step { STATUS_LINE, HEADER, FIXED, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, UNTIL_CLOSE }

    /** Makes the parser ready for the next answer on the same connection. */
    fun reset() {
        state = State.HEAD
        step = Step.STATUS_LINE
        status = 0
        closes = false
        continues = false
        gzipped = false
        body.clear()
        lineLength = 0
        headBytes = 0
        contentLength = -1
        chunked = false
        remaining = 0
    }

    /** Takes `bytes[from, to)` until the answer is complete; gives back the index after the last byte it used. */
    fun feed(bytes: ByteArray, from: Int, to: Int): Int {
        var at = from
        while (at < to && state < State.DONE) {
            at = when (step) {
                Step.FIXED, Step.CHUNK -> feedCounted(bytes, at, to)
                Step.UNTIL_CLOSE -> to.also { body.take(bytes, at, to - at) }
                else -> feedLine(bytes, at, to)
            }
        }
        return at
    }

    /** The connection was closed by the server. True if that is the proper end of the answer under way. */
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
        var end = from
        while (end < to && bytes[end] != LF) end++
        val count = end - from
        headBytes += count + 1
        if (lineLength + count > MAX_LINE_BYTES || headBytes > MAX_HEAD_BYTES) return to.also { state = State.BROKEN }
        if (end == to || lineLength > 0) {
            if (line.size < lineLength + count) line = line.copyOf(maxOf(128, 2 * (lineLength + count)))
            System.arraycopy(bytes, from, line, lineLength, count)
            lineLength += count
            if (end == to) return to
            val length = lineLength
            lineLength = 0
            takeLine(line, 0, length)
        } else {
            takeLine(bytes, from, end)
        }
        return end + 1
    }

    private fun takeLine(bytes: ByteArray, from: Int, toWithReturn: Int) {
        val to = if (toWithReturn > from && bytes[toWithReturn - 1] == CR) toWithReturn - 1 else toWithReturn
        when (step) {
            Step.STATUS_LINE -> takeStatusLine(bytes, from, to)
            Step.HEADER -> if (from == to) endOfHead() else takeHeader(bytes, from, to)
            Step.CHUNK_SIZE -> takeChunkSize(bytes, from, to)
            Step.CHUNK_END -> if (from == to) step = Step.CHUNK_SIZE else state = State.BROKEN
            Step.TRAILER -> if (from == to) state = State.DONE
            Step.FIXED, Step.CHUNK, Step.UNTIL_CLOSE -> error("a body has no lines")
        }
    }

    private fun takeStatusLine(bytes: ByteArray, from: Int, to: Int) {
        val good = to - from >= 12 && startsWith(bytes, from, HTTP_1) && bytes[from + 8] == SPACE
        status = if (good) digits(bytes, from + 9, from + 12).toInt() else -1
        if (status < 100) state = State.BROKEN else step = Step.HEADER
        closes = good && bytes[from + 7] == '0'.code.toByte()
    }

    private fun takeHeader(bytes: ByteArray, from: Int, to: Int) {
        var colon = from
        while (colon < to && bytes[colon] != COLON) colon++
        if (colon == to || colon == from) return Unit.also { state = State.BROKEN }
        var valueAt = colon + 1
        while (valueAt < to && (bytes[valueAt] == SPACE || bytes[valueAt] == TAB)) valueAt++
        when (colon - from) {
            CONTENT_LENGTH.size -> if (isName(bytes, from, CONTENT_LENGTH)) takeContentLength(bytes, valueAt, to)
            CONTENT_ENCODING.size -> if (isName(bytes, from, CONTENT_ENCODING)) gzipped =
                contains(bytes, valueAt, to, GZIP)
            TRANSFER_ENCODING.size -> if (isName(bytes, from, TRANSFER_ENCODING)) chunked =
                contains(bytes, valueAt, to, CHUNKED)
            // Both have ten letters.
            CONNECTION.size -> if (isName(bytes, from, CONNECTION)) {
                closes = if (closes) !contains(bytes, valueAt, to, KEEP_ALIVE) else contains(bytes, valueAt, to, CLOSE)
            } else if (cookies != null && isName(bytes, from, SET_COOKIE)) cookies.take(bytes, valueAt, to)
        }
    }

    private fun takeContentLength(bytes: ByteArray, from: Int, to: Int) {
        var end = to
        while (end > from && (bytes[end - 1] == SPACE || bytes[end - 1] == TAB)) end--
        val length = digits(bytes, from, end)
        if (length < 0 || (contentLength >= 0 && contentLength != length)) state = State.BROKEN
        contentLength = length
    }

    private fun endOfHead() {
        headBytes = 0
        when {
            status in 100..199 && status != 101 -> step =
                Step.STATUS_LINE.also { continues = continues || status == 100 }
            headOnly || status == 204 || status == 304 || status == 101 -> state = State.DONE
            chunked -> startBody(Step.CHUNK_SIZE)
            contentLength == 0L -> state = State.DONE
            contentLength > 0 -> startBody(Step.FIXED).also { remaining = contentLength }
            else -> startBody(Step.UNTIL_CLOSE).also { closes = true }
        }
    }

    private fun startBody(next: Step) {
        state = State.BODY
        step = next
    }

    private fun takeChunkSize(bytes: ByteArray, from: Int, to: Int) {
        var size = 0L
        var at = from
        while (at < to) {
            val digit = Character.digit(bytes[at].toInt(), 16)
            if (digit < 0) break
            size = size * 16 + digit
            at++
        }
        val wellFormed =
            at > from && at - from <= MAX_HEX_DIGITS && (at == to || bytes[at] == SEMICOLON || bytes[at] == SPACE)
        headBytes = 0
        when {
            !wellFormed -> state = State.BROKEN
            size == 0L -> step = Step.TRAILER
            else -> step = Step.CHUNK.also { remaining = size }
        }
    }

    companion object {
        /** Longest line of a head or chunk head; Tomcat and Netty both refuse heads over 8 KiB by default. */
        const val MAX_LINE_BYTES = 8 * 1024

        /** Longest head, or trailer, of one answer. */
        const val MAX_HEAD_BYTES = 64 * 1024
    }
}

/** Fifteen digits hold any length below 2⁶⁰ without overflow. */
private const val MAX_HEX_DIGITS = 15
internal val NOTHING = ByteArray(0)
