package threadgauge.serve

import java.security.MessageDigest
import java.util.Base64

/** An answer, with what the browser may do with it. */
internal class Response(
    val status: Int,
    val type: String,
    val body: ByteArray,
    /** Value of the header `Content-Security-Policy`. */
    val policy: String,
    val headers: Map<String, String> = emptyMap(),
    /** Browsers may keep it: another content has another address. */
    val isConstant: Boolean = false,
)

internal const val HTML = "text/html"

/** A page that loads styles and scripts of this server alone. */
internal fun page(html: String, status: Int = 200): Response = Response(
    status, HTML, html.toByteArray(),
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'",
)

/** A page that embeds its styles and scripts, as it was made just now: these and no others are used. */
internal fun embedding(html: String): Response {
    fun hashes(tag: String) = Regex("<$tag>(.*?)</$tag>", RegexOption.DOT_MATCHES_ALL).findAll(html)
        .map { "'sha256-${hash(it.groupValues[1])}'" }.distinct().joinToString(" ").ifEmpty { "'none'" }
    return Response(
        200, HTML, html.toByteArray(),
        "default-src 'none'; style-src ${hashes("style")}; script-src ${hashes("script")}; img-src data:; " +
            "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
}

/**
 * A report as it lies in a folder. It may come from somebody else, so its scripts run in an origin of their own, from
 * which they can reach neither this server nor any other.
 */
internal fun report(html: ByteArray): Response = Response(
    200, HTML, html,
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; form-action 'none'; " +
        "base-uri 'none'; frame-ancestors 'none'; sandbox allow-scripts",
)

internal fun json(text: String): Response = Response(200, "application/json", text.toByteArray(), NOTHING_LOADED)

internal fun redirect(to: String, headers: Map<String, String> = emptyMap()): Response =
    Response(303, HTML, ByteArray(0), NOTHING_LOADED, headers + ("Location" to to))

internal const val NOTHING_LOADED = "default-src 'none'; frame-ancestors 'none'"

private fun hash(text: String): String =
    Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(text.toByteArray()))
