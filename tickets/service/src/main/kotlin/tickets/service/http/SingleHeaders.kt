package threadgauge.tickets.service.http

import io.netty.handler.codec.http.HttpHeaders
import io.netty.util.AsciiString

/**
 * Headers that a request may have once. A second one is an error of the client, or an attempt to have a proxy and the
 * service read different values, so the service picks neither. RFC 9112, section 3.2, demands this of `Host`; the codec
 * rejects a second Content-Length. Of X-Request-Id, which is only for the log, the first one counts.
 */
private val SINGLE =
    listOf("Host", "Content-Type", "Authorization", "Idempotency-Key", "Admission", "userId").map(AsciiString::cached)

/** A header that is repeated and must not be; null if there is none. Takes one pass, for every request. */
internal fun repeatedHeader(headers: HttpHeaders): CharSequence? {
    var seen = 0
    for ((name) in headers.iteratorCharSequence()) {
        val index = indexOf(name)
        if (index < 0) continue
        val bit = 1 shl index
        if (seen and bit != 0) return SINGLE[index]
        seen = seen or bit
    }
    return null
}

private fun indexOf(name: CharSequence): Int {
    for (index in SINGLE.indices) if (SINGLE[index].contentEqualsIgnoreCase(name)) return index
    return -1
}
