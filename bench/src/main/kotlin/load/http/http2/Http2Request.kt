package threadgauge.load.http.http2

import io.netty.buffer.ByteBuf
import io.netty.buffer.PooledByteBufAllocator
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers
import io.netty.util.AsciiString
import threadgauge.load.http.ByteSink
import threadgauge.load.http.CookieJar
import threadgauge.load.http.Course
import threadgauge.load.http.KeptPlace
import threadgauge.load.http.Question
import threadgauge.load.http.Rendering
import threadgauge.load.http.http1.header
import threadgauge.load.http.http1.headersOf
import threadgauge.model.request.Request

/**
 * Produces the headers and the body of [request] to the server at [authority] (`host:port`), for HTTP/2. If the headers
 * never change, they are produced once.
 *
 * Belongs to one event loop.
 */
internal class Http2Request(
    private val request: Request,
    private val authority: String,
    private val scheme: String,
    seed: Long,
    keep: Question.Keep? = null,
) {
    val hasBody = request.body != null

    private val path = Rendering(request.path, request, seed, keep = keep, place = KeptPlace.PATH)
    private val others = headersOf(request, authority).filter { it.first.lowercase() !in FORBIDDEN }
        .map { (name, value) ->
            AsciiString(name.lowercase()) to Rendering(value, request, seed, part = 2, keep, KeptPlace.HEADER)
        }
    private val body = Rendering(request.body.orEmpty(), request, seed, part = 1, keep = keep)
    private val sink = ByteSink()
    private val fixed = if (path.isFixed && others.all { it.second.isFixed }) render(0, null, null) else null

    /** Headers of request number [number], with what [course] has kept, and with the user's [cookies]. */
    fun headers(number: Long, course: Course? = null, cookies: CookieJar? = null): Http2Headers =
        if (fixed != null && (cookies == null || cookies.isEmpty)) fixed else render(number, course, cookies)

    /** Body of request number [number]. The receiver releases it. */
    fun body(number: Long, course: Course? = null): ByteBuf {
        sink.clear()
        body.render(number, sink, course)
        return PooledByteBufAllocator.DEFAULT.directBuffer(sink.length).writeBytes(sink.bytes, 0, sink.length)
    }

    private fun render(number: Long, course: Course?, cookies: CookieJar?): Http2Headers {
        val target = text(path, number, course)
        val plain = others.flatMap { (name, value) -> listOf(name, text(value, number, course)) }
        val pairs = plain + cookies?.valueFor(target)?.let { listOf(COOKIE, AsciiString(it)) }.orEmpty()
        return ReadOnlyHttp2Headers.clientHeaders(
            false, AsciiString(request.method), target, AsciiString(scheme),
            AsciiString(request.header("Host") ?: authority), *pairs.toTypedArray(),
        )
    }

    private fun text(rendering: Rendering, number: Long, course: Course?): AsciiString {
        sink.clear()
        rendering.render(number, sink, course)
        return AsciiString(sink.bytes, 0, sink.length, true)
    }

    private companion object {
        val COOKIE: AsciiString = AsciiString.cached("cookie")

        /** HTTP/2 replaces these headers, or forbids them (RFC 9113, section 8.2.2). */
        val FORBIDDEN =
            setOf("host", "connection", "expect", "transfer-encoding", "keep-alive", "upgrade", "proxy-connection")
    }
}
