package threadgauge.tickets.service.http

import org.springframework.util.StringUtils

/** The path of the requests that [ReserveHandler] answers. */
internal const val RESERVE_PATH = "/events/{event}/reservations"

private const val PREFIX = "/events/"
private const val SUFFIX = "/reservations"

/** Segments of [RESERVE_PATH] between slashes; the first is empty. */
private const val SEGMENTS = 4

/**
 * The event in [uri], the target of a request; null if that is another path than [RESERVE_PATH], or cannot be decoded:
 * the framework answers it then.
 */
internal fun reservedEvent(uri: String): String? {
    if (uri.startsWith(PREFIX) && uri.endsWith(SUFFIX) && uri.length > PREFIX.length + SUFFIX.length) {
        val event = uri.substring(PREFIX.length, uri.length - SUFFIX.length)
        // What nearly all requests send, and nothing in it has to be decoded.
        if (event.all { it in '0'..'9' }) return event
    }
    // The raw target: once it is decoded, a semicolon inside a segment looks like one that ends it.
    val parts = pathOf(uri).split('/')
    val isReservations =
        parts.size == SEGMENTS && decoded(parts[1]) == "events" && decoded(parts[3]) == "reservations"
    return if (isReservations) decoded(parts[2]) else null
}

/** The path in [uri], the target of a request, without its query. A target may be a whole URL. */
internal fun pathOf(uri: String): String {
    val target = uri.substringBefore('?')
    return if (target.startsWith('/')) target else "/" + target.substringAfter("://").substringAfter('/', "")
}

/** The segment decoded and without path parameters, as the framework compares it. */
private fun decoded(segment: String): String? = if ('%' !in segment && ';' !in segment) segment else try {
    StringUtils.uriDecode(segment.substringBefore(';'), Charsets.UTF_8)
} catch (_: IllegalArgumentException) {
    null
}
