package threadgauge.load.http.http1

import threadgauge.load.http.CookieJar
import threadgauge.load.http.HeadWish
import threadgauge.load.http.OTHER_CODINGS

/**
 * The fields of a response head that decide where the answer ends and whether its connection stays open. All others are
 * ignored. A list (RFC 9110, section 5.6.1) may be split into several fields, and have empty elements.
 *
 * Belongs to one [ResponseParser].
 */
internal class HeadFields(
    private val cookies: CookieJar?,
    private val keepsType: Boolean = false,
    private val wish: HeadWish? = null,
) {
    /** -1 without such a field. */
    var contentLength = -1L
        private set

    /** The length is not a number, or several lengths differ (RFC 9112, section 6.3). */
    var lengthIsWrong = false
        private set

    /** The body has transfer codings, `chunked` or others. */
    var transferCoded = false
        private set

    /** The last of them is `chunked`. */
    var chunked = false
        private set
    var saysClose = false
        private set
    var saysKeepAlive = false
        private set
    var gzipped = false
        private set

    /** The body has another coding, see [OTHER_CODINGS]. */
    var coded = false
        private set

    /** Only if it is kept. */
    var contentType: String? = null
        private set

    fun clear() {
        contentType = null
        contentLength = -1
        lengthIsWrong = false
        transferCoded = false
        chunked = false
        saysClose = false
        saysKeepAlive = false
        gzipped = false
        coded = false
    }

    /** Takes the field line `bytes[from, to)`, without its line end. False if it is no field line. */
    fun take(bytes: ByteArray, from: Int, to: Int): Boolean {
        var colon = from
        var isOdd = false
        while (colon < to && bytes[colon] != COLON) {
            if (bytes[colon] <= SPACE) isOdd = true
            colon++
        }
        if (colon == to) return false
        val nameEnd = if (isOdd) endOfOddName(bytes, from, colon) else colon
        if (nameEnd == from) return false
        val valueAt = skipBlanks(bytes, colon + 1, to)
        takeField(bytes, from, nameEnd - from, valueAt, withoutBlanks(bytes, valueAt, to))
        return true
    }

    private fun takeField(bytes: ByteArray, at: Int, nameLength: Int, from: Int, to: Int) {
        if (wish != null && !wish.isEmpty) wish.take(text(bytes, at, at + nameLength), text(bytes, from, to))
        when (nameLength) {
            CONTENT_LENGTH.size -> if (isName(bytes, at, CONTENT_LENGTH)) takeContentLength(bytes, from, to)
            CONTENT_ENCODING.size -> if (isName(bytes, at, CONTENT_ENCODING)) takeContentCodings(bytes, from, to)
            TRANSFER_ENCODING.size -> if (isName(bytes, at, TRANSFER_ENCODING)) takeTransferCodings(bytes, from, to)
            CONTENT_TYPE.size -> if (keepsType && isName(bytes, at, CONTENT_TYPE)) {
                contentType = text(bytes, from, to)
            }
            // Both have ten letters.
            CONNECTION.size -> when {
                isName(bytes, at, CONNECTION) -> takeConnection(bytes, from, to)
                cookies != null && isName(bytes, at, SET_COOKIE) -> cookies.take(bytes, from, to)
            }
        }
    }

    /**
     * Blanks before the colon do not belong to the name: a server must not send them, and a proxy removes them (RFC
     * 9112, section 5.1). With any other blank or control character, or a byte beyond ASCII, it is no name, and [from]
     * is returned.
     */
    private fun endOfOddName(bytes: ByteArray, from: Int, colon: Int): Int {
        val end = withoutBlanks(bytes, from, colon)
        for (at in from..<end) if (bytes[at] <= SPACE) return from
        return end
    }

    private fun takeContentLength(bytes: ByteArray, from: Int, to: Int) {
        var seen = false
        forEachElement(bytes, from, to) { elementFrom, elementTo ->
            val length = digits(bytes, elementFrom, elementTo)
            if (length < 0 || contentLength >= 0 && contentLength != length) lengthIsWrong = true
            contentLength = length
            seen = true
        }
        if (!seen) lengthIsWrong = true
    }

    /** `identity` was a coding without effect (RFC 2616, section 3.6); old servers still send it. */
    private fun takeTransferCodings(bytes: ByteArray, from: Int, to: Int) {
        forEachElement(bytes, from, to) { elementFrom, elementTo ->
            if (!isWord(bytes, elementFrom, elementTo, IDENTITY)) {
                transferCoded = true
                chunked = isWord(bytes, elementFrom, elementTo, CHUNKED)
                if (isGzip(bytes, elementFrom, elementTo)) gzipped = true
            }
        }
    }

    private fun takeContentCodings(bytes: ByteArray, from: Int, to: Int) {
        forEachElement(bytes, from, to) { elementFrom, elementTo ->
            if (isGzip(bytes, elementFrom, elementTo)) gzipped = true
            else if (isOtherCoding(bytes, elementFrom, elementTo)) coded = true
        }
    }

    private fun takeConnection(bytes: ByteArray, from: Int, to: Int) {
        forEachElement(bytes, from, to) { elementFrom, elementTo ->
            if (isWord(bytes, elementFrom, elementTo, CLOSE)) saysClose = true
            if (isWord(bytes, elementFrom, elementTo, KEEP_ALIVE)) saysKeepAlive = true
        }
    }

    private fun text(bytes: ByteArray, from: Int, to: Int) = String(bytes, from, to - from, Charsets.ISO_8859_1)

    /** Both names mean the same (RFC 9110, section 8.4.1.3). */
    private fun isGzip(bytes: ByteArray, from: Int, to: Int) =
        isWord(bytes, from, to, GZIP) || isWord(bytes, from, to, X_GZIP)

    private fun isOtherCoding(bytes: ByteArray, from: Int, to: Int): Boolean {
        for (coding in CODINGS) if (isWord(bytes, from, to, coding)) return true
        return false
    }

    private companion object {
        val CODINGS = Array(OTHER_CODINGS.size) { OTHER_CODINGS[it].toByteArray() }
    }
}
