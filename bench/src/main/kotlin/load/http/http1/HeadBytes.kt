package threadgauge.load.http.http1

// Words and characters of a response head as bytes, and functions to recognize them. Heads are parsed from bytes,
// because a string for each header would be most of what the agent allocates.

internal const val MAX_DECIMAL_DIGITS = 18
internal const val LF = '\n'.code.toByte()
internal const val CR = '\r'.code.toByte()
internal const val SPACE = ' '.code.toByte()
internal const val TAB = '\t'.code.toByte()
internal const val COLON = ':'.code.toByte()
internal const val SEMICOLON = ';'.code.toByte()
internal const val COMMA = ','.code.toByte()
private const val ZERO = '0'.code.toByte()
internal val HTTP_1 = "HTTP/1.".toByteArray()
internal val CONTENT_LENGTH = "content-length".toByteArray()
internal val CONTENT_TYPE = "content-type".toByteArray()
internal val CONTENT_ENCODING = "content-encoding".toByteArray()
internal val TRANSFER_ENCODING = "transfer-encoding".toByteArray()
internal val CONNECTION = "connection".toByteArray()
internal val SET_COOKIE = "set-cookie".toByteArray()
internal val CHUNKED = "chunked".toByteArray()
internal val IDENTITY = "identity".toByteArray()
internal val GZIP = "gzip".toByteArray()
internal val X_GZIP = "x-gzip".toByteArray()
internal val CLOSE = "close".toByteArray()
internal val KEEP_ALIVE = "keep-alive".toByteArray()

internal fun startsWith(bytes: ByteArray, at: Int, word: ByteArray): Boolean {
    for (i in word.indices) if (bytes[at + i] != word[i]) return false
    return true
}

/**
 * Compares in any case. [lower] holds lower-case letters and hyphens only, for which setting bit 5 means "to lower
 * case". The caller makes sure that there are enough bytes.
 */
internal fun isName(bytes: ByteArray, at: Int, lower: ByteArray): Boolean {
    for (i in lower.indices) if ((bytes[at + i].toInt() or 0x20) != lower[i].toInt()) return false
    return true
}

/** Whether `bytes[from, to)` is the word [lower], in any case. */
internal fun isWord(bytes: ByteArray, from: Int, to: Int, lower: ByteArray) =
    to - from == lower.size && isName(bytes, from, lower)

internal fun isBlank(byte: Byte) = byte == SPACE || byte == TAB

internal fun skipBlanks(bytes: ByteArray, from: Int, to: Int): Int {
    var at = from
    while (at < to && isBlank(bytes[at])) at++
    return at
}

/** The end of `bytes[from, to)` without trailing blanks. */
internal fun withoutBlanks(bytes: ByteArray, from: Int, to: Int): Int {
    var end = to
    while (end > from && isBlank(bytes[end - 1])) end--
    return end
}

/**
 * Calls [take] with the range of each element of the list in `bytes[from, to)`, without surrounding blanks and without
 * parameters. Empty elements are skipped (RFC 9110, section 5.6.1.2). Inline, so that nothing is allocated.
 */
internal inline fun forEachElement(bytes: ByteArray, from: Int, to: Int, take: (from: Int, to: Int) -> Unit) {
    var at = from
    while (at < to) {
        val end = endOfPart(bytes, at, to, COMMA)
        val elementFrom = skipBlanks(bytes, at, end)
        val elementTo = withoutBlanks(bytes, elementFrom, endOfPart(bytes, elementFrom, end, SEMICOLON))
        if (elementTo > elementFrom) take(elementFrom, elementTo)
        at = end + 1
    }
}

/** Index of the next [separator], or [to]. */
internal fun endOfPart(bytes: ByteArray, from: Int, to: Int, separator: Byte): Int {
    var end = from
    while (end < to && bytes[end] != separator) end++
    return end
}

/**
 * The decimal number in `bytes[from, to)`, of up to [MAX_DECIMAL_DIGITS] digits, not counting leading zeros; -1 if it
 * is none.
 */
internal fun digits(bytes: ByteArray, from: Int, to: Int): Long {
    var first = from
    while (first < to - 1 && bytes[first] == ZERO) first++
    if (to <= first || to - first > MAX_DECIMAL_DIGITS) return -1
    var value = 0L
    for (i in first..<to) {
        val digit = bytes[i] - '0'.code.toByte()
        if (digit !in 0..9) return -1
        value = value * 10 + digit
    }
    return value
}
