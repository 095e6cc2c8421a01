package threadgauge.load.http.clause

import threadgauge.load.http.Body
import threadgauge.load.http.http1.ResponseParser
import threadgauge.load.http.http1.ResponseParser.State

/**
 * A rule of HTTP: bytes that a server sends before it closes the connection, and their result. `200 hello` is an
 * answer, [REFUSED] is none, [CUT] is an incomplete one. [java] and [curl] are the results of `java.net.http` of JDK 25
 * and curl [CURL_VERSION] for the same bytes; where one of them differs from ours, [why] has the reason.
 */
internal class Clause(
    val rule: String,
    val bytes: String,
    val ours: String,
    val java: String = others(ours),
    val curl: String = others(ours),
    val why: String = "",
    val method: String = "GET",
)

/** Other clients fail alike for a rejected and an incomplete answer, and do not report the connection's state. */
internal fun others(ours: String) = if (ours == CUT) REFUSED else ours.substringBefore(CLOSES)

internal const val OK = "HTTP/1.1 200 OK\r\n"
internal const val LENGTH = "Content-Length: 5\r\n"
internal const val HELLO = "\r\nhello"
internal const val CHUNKED = "Transfer-Encoding: chunked\r\n"
internal const val HELLO_CHUNKED = "\r\n5\r\nhello\r\n0\r\n\r\n"

internal val ALL_CLAUSES = MESSAGE_CLAUSES + INTERIM_CLAUSES + FIELD_CLAUSES + LENGTH_CLAUSES + CHUNK_CLAUSES

internal const val REFUSED = "refused"
internal const val CUT = "cut off"

/** Suffix of [Clause.ours] if the connection carries no more requests after the answer. */
internal const val CLOSES = ", closes"
internal const val CURL_VERSION = "7.88.1"

/** The parser's result for [bytes] in pieces that end at [cuts], before the connection is closed. */
internal fun verdict(bytes: ByteArray, headOnly: Boolean, cuts: List<Int> = emptyList()): String {
    val body = Body(keeps = true)
    val parser = ResponseParser(body, headOnly)
    var at = 0
    for (end in cuts + bytes.size) {
        while (at < end && parser.state < State.DONE) at = parser.feed(bytes, at, end)
        if (parser.state >= State.DONE) break
    }
    if (parser.state == State.BROKEN) return REFUSED
    if (parser.state != State.DONE && !parser.endOfStream()) return CUT
    val text = String(body.kept, 0, body.keptLength, Charsets.ISO_8859_1)
    return "${parser.status} $text".trim() + if (parser.closes) CLOSES else ""
}
