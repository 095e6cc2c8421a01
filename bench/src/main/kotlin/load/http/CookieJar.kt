package threadgauge.load.http

import io.netty.handler.codec.http.cookie.ClientCookieDecoder
import io.netty.handler.codec.http.cookie.Cookie
import threadgauge.load.http.http1.NOTHING
import threadgauge.load.http.http1.SEMICOLON

/**
 * The cookies of one user at the server named [host], in the order in which the server set them (RFC 6265, section 5).
 * Netty's decoder reads their attributes; one for another domain is ignored, one with an empty value or that has
 * expired is deleted, and one with a path is sent only below it. `Secure`, `HttpOnly` and `SameSite` change nothing
 * here: all requests go to one server, as users of its own pages.
 *
 * Allocates nothing while the cookies stay the same, even if a server sends the same one with every answer. Belongs to
 * one event loop.
 */
internal class CookieJar(private val host: String = "", private val nanoTime: () -> Long = System::nanoTime) {
    private class Entry(val raw: ByteArray, val name: String, val cookie: Cookie) {
        val path: ByteArray? = cookie.path()?.takeIf { it.length > 1 && it.startsWith("/") }?.toByteArray()
        val pair = if (cookie.wrap()) "$name=\"${cookie.value()}\"" else "$name=${cookie.value()}"
        var expiresNanos = Long.MAX_VALUE
    }

    private val entries = ArrayList<Entry>()
    private var hasPaths = false
    private var firstExpiryNanos = Long.MAX_VALUE

    val isEmpty: Boolean get() {
        expire()
        return entries.isEmpty()
    }

    /** The `Cookie` line of a request for `/`; empty without cookies. */
    var line = NOTHING
        private set

    /** Deletes all cookies. */
    fun clear() {
        if (entries.isEmpty()) return
        entries.clear()
        changed()
    }

    /** Writes the `Cookie` line to [out], for the request whose path begins there at [pathAt], if it has cookies. */
    fun putTo(out: ByteSink, pathAt: Int) {
        expire()
        if (!hasPaths) return out.put(line)
        val fitting = entries.filter { it.path == null || covers(it.path, out.bytes, out.length, pathAt) }
        // Longer paths come first (RFC 6265, section 5.4); the sort keeps the order of the others.
        val sorted = fitting.sortedByDescending { it.path?.size ?: 1 }
        if (sorted.isNotEmpty()) out.put(lineOf(sorted))
    }

    /** The value of the `Cookie` header of a request for [path]; null without cookies. */
    fun valueFor(path: CharSequence): String? {
        expire()
        val bytes = path.toString().toByteArray()
        val fitting = entries.filter { it.path == null || covers(it.path, bytes, bytes.size, 0) }
        if (fitting.isEmpty()) return null
        return fitting.sortedByDescending { it.path?.size ?: 1 }.joinToString("; ") { it.pair }
    }

    /** Takes [value] of a `Set-Cookie` header. */
    fun take(value: CharSequence) = value.toString().toByteArray(Charsets.ISO_8859_1).let { take(it, 0, it.size) }

    /** Takes `bytes[from, to)`, the value of a `Set-Cookie` header. Ignored without a name (RFC 6265, section 5.2). */
    fun take(bytes: ByteArray, from: Int, to: Int) {
        for (i in entries.indices) {
            val entry = entries[i]
            if (entry.raw.size == to - from && isSame(entry.raw, bytes, from)) return renew(entry)
        }
        if (!hasName(bytes, from, to)) return
        val raw = bytes.copyOfRange(from, to)
        val cookie = ClientCookieDecoder.LAX.decode(String(raw, Charsets.ISO_8859_1)) ?: return
        if (!isOfDomain(cookie.domain())) return
        val entry = Entry(raw, cookie.name(), cookie)
        val at = entries.indexOfFirst { it.name == entry.name && it.path.contentEquals(entry.path) }
        val isGone = cookie.value().isEmpty() || cookie.hasExpired
        when {
            isGone && at < 0 -> return
            isGone -> entries.removeAt(at)
            at < 0 -> entries += entry
            else -> entries[at] = entry
        }
        renew(entry)
        changed()
    }

    /** An equals sign before the first semicolon, and something before it. Decoders would look further. */
    private fun hasName(bytes: ByteArray, from: Int, to: Int): Boolean {
        for (i in from..<to) if (bytes[i] == EQUALS || bytes[i] == SEMICOLON) return bytes[i] == EQUALS && i > from
        return false
    }

    private fun renew(entry: Entry) {
        val seconds = entry.cookie.maxAge()
        if (seconds == Cookie.UNDEFINED_MAX_AGE) return
        entry.expiresNanos = nanoTime() + minOf(seconds, LONGEST_SECONDS) * NANOS_PER_SECOND
        firstExpiryNanos = entries.minOfOrNull { it.expiresNanos } ?: Long.MAX_VALUE
    }

    private fun expire() {
        if (firstExpiryNanos == Long.MAX_VALUE) return
        val now = nanoTime()
        if (now < firstExpiryNanos) return
        entries.removeIf { it.expiresNanos <= now }
        changed()
    }

    private fun changed() {
        hasPaths = entries.any { it.path != null }
        firstExpiryNanos = entries.minOfOrNull { it.expiresNanos } ?: Long.MAX_VALUE
        line = if (entries.isEmpty()) NOTHING else lineOf(entries.filter { it.path == null })
    }

    private fun lineOf(all: List<Entry>): ByteArray {
        if (all.isEmpty()) return NOTHING
        return all.joinToString("; ", "Cookie: ", "\r\n") { it.pair }.toByteArray(Charsets.ISO_8859_1)
    }

    /** A domain covers its own hosts and those below it (RFC 6265, section 5.1.3). */
    private fun isOfDomain(domain: String?): Boolean {
        val plain = domain?.removePrefix(".") ?: return true
        return host.isEmpty() || host.equals(plain, ignoreCase = true) || host.endsWith(".$plain", ignoreCase = true)
    }

    /** Whether [path] is the path in `bytes[at, end)`, or one above it (RFC 6265, section 5.1.4). */
    private fun covers(path: ByteArray, bytes: ByteArray, end: Int, at: Int): Boolean {
        if (end < at + path.size) return false
        for (i in path.indices) if (bytes[at + i] != path[i]) return false
        return path.last() == SLASH || end == at + path.size || bytes[at + path.size] in ENDS
    }

    private fun isSame(cookie: ByteArray, bytes: ByteArray, from: Int): Boolean {
        for (i in cookie.indices) if (cookie[i] != bytes[from + i]) return false
        return true
    }

    private companion object {
        const val EQUALS = '='.code.toByte()
        const val SLASH = '/'.code.toByte()
        val ENDS = setOf('/', '?', ' ').map { it.code.toByte() }.toSet()
        const val NANOS_PER_SECOND = 1_000_000_000L

        /** Ten years: more would overflow. */
        const val LONGEST_SECONDS = 315_360_000L

        val Cookie.hasExpired get() = maxAge() != Cookie.UNDEFINED_MAX_AGE && maxAge() <= 0
    }
}
