package threadgauge.load.http.http1

import io.netty.buffer.ByteBuf
import io.netty.buffer.PooledByteBufAllocator
import threadgauge.load.http.ByteSink
import threadgauge.load.http.CookieJar
import threadgauge.load.http.Course
import threadgauge.load.http.KeptPlace
import threadgauge.load.http.Question
import threadgauge.load.http.Rendering
import threadgauge.model.request.Request
import threadgauge.model.request.Stream

/**
 * Produces the bytes of [request] to the server at [authority] (`host:port`), for HTTP/1.1. If every request is the
 * same, its bytes are produced once and sent many times.
 *
 * Belongs to one event loop; closed when no request is under way.
 */
internal class Http1Request(
    request: Request,
    authority: String,
    closes: Boolean,
    seed: Long,
    keep: Question.Keep? = null,
) : AutoCloseable {
    /** The body is sent only when the server asks for it (`Expect: 100-continue`). */
    val waitsForContinue = request.body != null && request.header("Expect").equals("100-continue", ignoreCase = true)

    /** Where the path begins in the first line. */
    private val pathAt = request.method.length + 1
    private val hasLength = request.body != null || request.method in METHODS_WITH_BODY
    private val head = Rendering(headOf(request, authority, closes), request, seed, keep = keep, place = KeptPlace.HEAD)
    private val body = Rendering(request.body.orEmpty(), request, seed, part = 1, keep = keep)
    private val sink = ByteSink()
    private val bodySink = ByteSink()
    private val fixed = if (head.isFixed && body.isFixed && !waitsForContinue) render(0, true, null, null) else null

    /**
     * The complete request number [number], or only its head if it [waitsForContinue], with what [course] has kept. The
     * receiver releases it.
     */
    fun bytes(number: Long, cookies: CookieJar?, course: Course? = null): ByteBuf =
        if (fixed != null && (cookies == null || cookies.isEmpty)) {
            fixed.retainedDuplicate()
        } else {
            render(number, !waitsForContinue, cookies, course)
        }

    /** The body of request number [number]. The receiver releases it. */
    fun body(number: Long, course: Course? = null): ByteBuf {
        bodySink.clear()
        body.render(number, bodySink, course)
        return bufferOf(bodySink)
    }

    private fun render(number: Long, whole: Boolean, cookies: CookieJar?, course: Course?): ByteBuf {
        sink.clear()
        bodySink.clear()
        head.render(number, sink, course)
        cookies?.putTo(sink, pathAt)
        body.render(number, bodySink, course)
        if (hasLength) {
            sink.put(LENGTH_HEADER)
            sink.put(bodySink.length.toLong())
            sink.put(LINE_END)
        }
        sink.put(LINE_END)
        if (whole) sink.put(bodySink.bytes, bodySink.length)
        return bufferOf(sink)
    }

    private fun bufferOf(sink: ByteSink): ByteBuf =
        PooledByteBufAllocator.DEFAULT.directBuffer(sink.length).writeBytes(sink.bytes, 0, sink.length)

    override fun close() {
        fixed?.release()
    }
}

/** `host:port`, with an IPv6 address in brackets (RFC 3986, section 3.2.2). */
internal fun authority(host: String, port: Int) = if (':' in host) "[$host]:$port" else "$host:$port"

/** The value of a header of the request; the case of [name] does not matter. */
internal fun Request.header(name: String): String? =
    headers.entries.firstOrNull { it.key.equals(name, ignoreCase = true) }?.value

/** All headers except the length: those of the user, and the agent's own unless the user replaces them. */
internal fun headersOf(request: Request, authority: String): List<Pair<String, String>> {
    val own = listOfNotNull(
        "Host" to authority,
        "User-Agent" to "threadgauge",
        "Accept" to if (request.stream == Stream.EVENTS) "text/event-stream" else "*/*",
        ("Accept-Encoding" to "gzip").takeIf { request.gzip },
    )
    return own.filter { request.header(it.first) == null } + request.headers.toList()
}

private fun headOf(request: Request, authority: String, closes: Boolean): String {
    val ofConnection = when {
        // A WebSocket has its connection to itself, and it ends with it.
        request.stream == Stream.WEBSOCKET -> SOCKET_HEADERS
        closes -> listOf("Connection" to "close")
        else -> emptyList()
    }
    val headers = headersOf(request, authority) + ofConnection
    return "${request.method} ${request.path} HTTP/1.1\r\n" +
        headers.joinToString("") { (name, value) -> "$name: $value\r\n" }
}

/** Requests with these methods declare the length of their body even if it is empty (RFC 9110, section 8.6). */
private val METHODS_WITH_BODY = setOf("POST", "PUT", "PATCH")
private val LENGTH_HEADER = "Content-Length: ".toByteArray()
private val LINE_END = "\r\n".toByteArray()
