package threadgauge.load.http

import threadgauge.load.http.http1.NOTHING
import threadgauge.load.http.http1.SEMICOLON

/**
 * The cookies of one user by name, in the order in which the server set them. Domain, path and expiry are ignored,
 * because a user sends one kind of request to one server; a cookie with an empty value is deleted.
 *
 * Allocates nothing while the cookies stay the same, even if a server sends the same one with every answer. Belongs to
 * one event loop.
 */
internal class CookieJar {
    private val cookies = ArrayList<ByteArray>()

    val isEmpty get() = cookies.isEmpty()

    /** The `Cookie` line of a request head; empty without cookies. */
    var line = NOTHING
        private set

    /** Deletes all cookies. */
    fun clear() {
        cookies.clear()
        line = NOTHING
    }

    /** Takes `bytes[from, to)`, the value of a `Set-Cookie` header. Ignored without a name (RFC 6265, section 5.2). */
    fun take(bytes: ByteArray, from: Int, to: Int) {
        val end = indexOf(bytes, from, to, SEMICOLON)
        val equals = indexOf(bytes, from, end, EQUALS)
        if (equals == end || equals == from) return
        val nameLength = equals - from + 1
        val at = placeOf(bytes, from, nameLength)
        if (at >= 0 && cookies[at].size == end - from && isSame(cookies[at], end - from, bytes, from)) return
        val isGone = equals + 1 == end
        when {
            isGone && at < 0 -> return
            isGone -> cookies.removeAt(at)
            at < 0 -> cookies += bytes.copyOfRange(from, end)
            else -> cookies[at] = bytes.copyOfRange(from, end)
        }
        line =
            if (isEmpty) NOTHING else cookies.joinToString("; ", "Cookie: ", "\r\n") { String(it, Charsets.ISO_8859_1) }
                .toByteArray(Charsets.ISO_8859_1)
    }

    /**
     * Index of the cookie that begins with this name and its equals sign, or -1. Without an iterator, which would be an
     * allocation.
     */
    private fun placeOf(bytes: ByteArray, from: Int, length: Int): Int {
        for (i in cookies.indices) if (cookies[i].size >= length && isSame(cookies[i], length, bytes, from)) return i
        return -1
    }

    private fun isSame(cookie: ByteArray, length: Int, bytes: ByteArray, from: Int): Boolean {
        for (i in 0..<length) if (cookie[i] != bytes[from + i]) return false
        return true
    }

    private fun indexOf(bytes: ByteArray, from: Int, to: Int, byte: Byte): Int {
        for (i in from..<to) if (bytes[i] == byte) return i
        return to
    }
}

private const val EQUALS = '='.code.toByte()
