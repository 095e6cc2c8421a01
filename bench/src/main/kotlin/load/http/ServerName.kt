package threadgauge.load.http

import javax.net.ssl.SNIHostName

/**
 * The name of the server that a client asks for in TLS. Null where none is sent: for an address (RFC 6066, section 3),
 * or what is no name of a host to Java, such as one with an underscore. A server with several certificates then shows
 * its default one.
 */
internal fun serverName(host: String): SNIHostName? {
    val isAddress = ':' in host || host.substringAfterLast('.').firstOrNull()?.isDigit() == true
    return if (isAddress) null else runCatching { SNIHostName(host.removeSuffix(".")) }.getOrNull()
}
