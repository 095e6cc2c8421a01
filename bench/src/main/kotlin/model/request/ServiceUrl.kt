package threadgauge.model.request

/** The largest number of a port of TCP (RFC 9293, section 3.1). */
const val MAX_PORT = 65_535

/**
 * The URL of a service, taken apart. [scheme] and [host] are in lower case; an address of IPv6 has no brackets. [port]
 * is null where the URL names none. [pathAndQuery] is as it was written, and empty where there is none.
 *
 * More hosts are accepted than RFC 3986 has names for: underscores are common in networks of containers.
 */
data class ServiceUrl(val scheme: String, val host: String, val port: Int?, val pathAndQuery: String) {
    /** The port that requests go to. */
    val effectivePort: Int get() = port ?: if (scheme == "https") 443 else 80

    /** `host` or `host:port`, an address of IPv6 in brackets. */
    val place: String get() = (if (':' in host) "[$host]" else host) + port?.let { ":$it" }.orEmpty()

    override fun toString() = "$scheme://$place$pathAndQuery"

    companion object {
        /** Null where [text] is no URL with a host. User, password and fragment must not be there. */
        fun of(text: String): ServiceUrl? {
            val (scheme, ipv6, name, port, path) = URL.matchEntire(text)?.destructured ?: return null
            val number = if (port.isEmpty()) null else port.toIntOrNull() ?: return null
            return ServiceUrl(scheme.lowercase(), ipv6.ifEmpty { name }.lowercase(), number, path)
        }

        private val URL = Regex(
            """([A-Za-z][A-Za-z0-9+.-]*)://(?:\[([0-9A-Fa-f:.%]+)]|([^\s/?#@:\[\]]+))(?::(\d*))?([/?][^\s#]*)?""",
        )
    }
}

/**
 * Whether [host], in lower case and without brackets, is this machine by its name alone: resolving it may take seconds
 * and give another result the next time. A client that connects to an address of every interface reaches this machine.
 */
fun isThisMachine(host: String): Boolean = host in LOOPBACK || LOOPBACK_4.matches(host)

private val LOOPBACK = setOf("localhost", "::1", "0.0.0.0", "::")

/** 127.0.0.0/8 (RFC 1122, section 3.2.1.3). */
private val LOOPBACK_4 = Regex("""127(\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}""")
