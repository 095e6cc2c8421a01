package threadgauge.load.http

import javax.net.ssl.SNIHostName

/**
 * The name of the server that a client asks for in TLS, as Java's own client does it. Null where none is sent: for an
 * address (RFC 6066, section 3), or what is no name of a host.
 */
internal fun serverName(host: String): SNIHostName? {
    val isAddress = ':' in host || host.substringAfterLast('.').firstOrNull()?.isDigit() == true
    return if (isAddress) null else runCatching { SNIHostName(host.removeSuffix(".")) }.getOrNull()
}
