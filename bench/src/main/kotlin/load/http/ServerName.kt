package threadgauge.load.http

import javax.net.ssl.SNIHostName

/**
 * The name of the server that a client asks for in TLS. Null where none is sent: for an address (RFC 6066, section 3),
 * or what is no name of a host.
 */
internal fun serverName(host: String): SNIHostName? {
    val isAddress = ':' in host || host.substringAfterLast('.').firstOrNull()?.isDigit() == true
    // By its bytes: as a string, Java takes no name with an underscore.
    return if (isAddress) null else runCatching { SNIHostName(host.removeSuffix(".").toByteArray()) }.getOrNull()
}
