package threadgauge.experiment.request

import java.net.InetAddress

/** True for a numeric IPv4 or IPv6 address. Never resolves a name. */
internal fun isAddress(text: String): Boolean = when {
    IP_4.matches(text) -> true
    // Text of digits and colons is parsed, never resolved (RFC 2732, and InetAddress.getByName).
    ':' in text && text.length <= MAX_LENGTH && text.all { it in ":.0123456789abcdefABCDEF" } ->
        runCatching { InetAddress.getByName(text) }.isSuccess
    else -> false
}

private const val PART = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
private val IP_4 = Regex("$PART(\\.$PART){3}")
private const val MAX_LENGTH = 45
