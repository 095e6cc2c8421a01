package threadgauge.load.http.http1

// The words and characters of a response head as bytes, and the few questions that the parser asks of them. Heads are
// read from bytes, without making strings, because a string per header would be most of what the agent allocates.

internal const val MAX_DECIMAL_DIGITS = 18
internal const val LF = '\n'.code.toByte()
internal const val CR = '\r'.code.toByte()
internal const val SPACE = ' '.code.toByte()
internal const val TAB = '\t'.code.toByte()
internal const val COLON = ':'.code.toByte()
internal const val SEMICOLON = ';'.code.toByte()
internal val HTTP_1 = "HTTP/1.".toByteArray()
internal val CONTENT_LENGTH = "content-length".toByteArray()
internal val CONTENT_ENCODING = "content-encoding".toByteArray()
internal val TRANSFER_ENCODING = "transfer-encoding".toByteArray()
internal val CONNECTION = "connection".toByteArray()
internal val SET_COOKIE = "set-cookie".toByteArray()
internal val CHUNKED = "chunked".toByteArray()
internal val GZIP = "gzip".toByteArray()
internal val CLOSE = "close".toByteArray()
internal val KEEP_ALIVE = "keep-alive".toByteArray()

internal fun startsWith(bytes: ByteArray, at: Int, word: ByteArray): Boolean {
    for (i in word.indices) if (bytes[at + i] != word[i]) return false
    return true
}

/** [lower] holds lower-case letters and hyphens only, for which setting bit 5 means "in lower case". */
internal fun isName(bytes: ByteArray, at: Int, lower: ByteArray): Boolean {
    for (i in lower.indices) if ((bytes[at + i].toInt() or 0x20) != lower[i].toInt()) return false
    return true
}

internal fun contains(bytes: ByteArray, from: Int, to: Int, lower: ByteArray): Boolean {
    for (at in from..to - lower.size) if (isName(bytes, at, lower)) return true
    return false
}

/** The whole number in `bytes[from, to)`, or -1 where something else stands there. */
internal fun digits(bytes: ByteArray, from: Int, to: Int): Long {
    if (to <= from || to - from > MAX_DECIMAL_DIGITS) return -1
    var value = 0L
    for (i in from..<to) {
        val digit = bytes[i] - '0'.code.toByte()
        if (digit !in 0..9) return -1
        value = value * 10 + digit
    }
    return value
}
