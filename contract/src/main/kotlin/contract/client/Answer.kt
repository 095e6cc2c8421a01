package threadgauge.contract.client

import java.net.http.HttpHeaders
import java.nio.charset.Charset

/** The answer to [request], and how long it took from before sending to the last byte. */
class Answer internal constructor(
    val request: String,
    val status: Int,
    private val headers: HttpHeaders,
    val body: ByteArray,
    private val nanos: Long,
    /** Names of headers beyond [NEEDED] that the server may send. */
    private val adds: Set<String> = emptySet(),
) {
    val text: String get() = body.toString(Charsets.UTF_8)

    fun header(name: String): String? = headers.firstValue(name).orElse(null)

    fun mustHaveStatus(expected: Int) = apply {
        must(status == expected) { "expected status $expected, got $status with body ${quoted(text)}" }
        // Rejections are not measured, and frameworks add headers of their own to them.
        if (expected >= 300) return@apply
        val others = headers.map().keys.map { it.lowercase() }
            .filterNot { it.startsWith(':') || it in NEEDED || it in adds }
        must(others.isEmpty()) {
            "expected no header that neither HTTP nor the contract needs, got ${others.sorted().joinToString()}"
        }
    }

    /** Parameters such as the charset are left to [mustBePlainText]. */
    fun mustBeOfType(expected: String) = apply {
        val type = header("content-type")
        must(type?.substringBefore(';')?.trim().equals(expected, ignoreCase = true)) {
            "expected content type $expected, got $type"
        }
    }

    fun mustBePlainText() = mustHaveStatus(200).mustBeOfType("text/plain").apply {
        val charset = CHARSET.find(header("content-type").orEmpty())?.groupValues?.get(1)
        must(charset != null && runCatching { Charset.forName(charset) }.getOrNull() == Charsets.UTF_8) {
            "expected the charset UTF-8 to be named, got content type ${header("content-type")}"
        }
    }

    fun mustHaveBody(expected: String) = apply {
        val bytes = expected.toByteArray()
        must(body.contentEquals(bytes)) {
            "expected body ${quoted(expected)} (${bytes.size} bytes), got ${quoted(text)} (${body.size} bytes)"
        }
    }

    fun mustTakeAtLeast(millis: Int) = apply {
        must(nanos >= millis * 1_000_000L) {
            "expected to wait at least $millis ms, got the answer after ${nanos / 1_000} µs"
        }
    }

    fun isSoonerThan(millis: Int) = nanos < millis * 1_000_000L

    fun mustTakeLessThan(millis: Int) = apply {
        must(isSoonerThan(millis)) { "expected the answer within $millis ms, got it after ${nanos / 1_000} µs" }
    }

    /** Calls [what] only when [holds] is false. */
    inline fun must(holds: Boolean, what: () -> String) {
        if (!holds) throw ContractViolation("$request: ${what()}")
    }

    companion object {
        /**
         * Headers of HTTP (RFC 9110 and 9112), with the date, which some servers send and others do not. Every byte
         * of a header is work.
         */
        private val NEEDED = setOf(
            "content-type", "content-length", "transfer-encoding", "connection", "keep-alive", "date", "allow", "vary",
        )

        /** In characters: long enough to recognise, short enough for a line. */
        private const val MAX_QUOTED = 120
        private val CHARSET = Regex("""charset="?([^";\s]+)""", RegexOption.IGNORE_CASE)

        fun quoted(text: String): String =
            "\"" + text.take(MAX_QUOTED).replace("\n", "\\n") + (if (text.length > MAX_QUOTED) "…" else "") + "\""
    }
}
