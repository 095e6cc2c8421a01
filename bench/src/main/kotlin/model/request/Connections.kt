package threadgauge.model.request

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames
import threadgauge.model.Situation
import threadgauge.model.users

/**
 * How requests use connections. The defaults are those of most clients: HTTP/1.1 with connections that are kept alive.
 */
@Serializable
data class Connections(
    val protocol: Protocol = Protocol.HTTP_1_1,
    /** TLS, where set. Without it, HTTP/2 uses prior knowledge (RFC 9113, section 3.3). */
    val tls: Tls? = null,
    /** A new connection for each request. A login needs HTTP/1.1. */
    val perRequest: Boolean = false,
    /** Maximum number of concurrent requests per connection. HTTP/2 only. */
    val streams: Int = 1,
    /** Maximum number of requests in flight of an open load, over all connections. */
    @JsonNames("most") val maxUnderWay: Int = 1_000,
    /** Open all connections at once, instead of 2,000 per second. */
    val atOnce: Boolean = false,
    /** Local addresses to connect from, in turn. Empty: the system chooses. */
    val sources: List<String> = emptyList(),
    /** Connections that an open load opens before its window; null: enough for the arrivals of 50 ms. */
    val ahead: Int? = null,
    /** Delay added to each round trip between agent and server, in nanoseconds: half of it in each direction. */
    val delayNanos: Long = 0,
    /** Whether users store cookies, and how they get them; null: they do not. A login is made over HTTP/1.1 only. */
    val cookies: Cookies? = null,
    /**
     * Longest head of an answer, in bytes, with its interim answers; for HTTP/2 as its section 6.5.2 counts, with 32
     * more for each field. A longer one is not read to its end.
     */
    val maxHeaderBytes: Int = MAX_HEADER_BYTES,
    /**
     * Send a request once more that the server did not process: on HTTP/2 any that it refused as unprocessed
     * (RFC 9113, section 8.7), on HTTP/1.1 an idempotent one whose kept connection closed before any of its answer
     * (RFC 9110, section 9.2.2). Its latency still runs from its first intended time. Off unless asked for: a client
     * that repeats silently hides requests that the service did turn away, and those are part of the result.
     */
    val repeatUnprocessed: Boolean = false,
) {
    companion object {
        /** Of most heads a hundred times over; what is larger is rather a mistake than a head. */
        const val MAX_HEADER_BYTES = 1_000_000
    }
}

/** Each user stores the cookies that answers set, and sends them from then on, as RFC 6265 says. */
@Serializable
data class Cookies(
    /** A request that each user sends once before the load; null where the first answer sets the cookies. */
    val login: Login? = null,
)

/** A form, sent by `POST` to [path]. */
@Serializable
data class Login(val path: String, val form: String)

/** Maximum number of connections that the load of a situation can open. */
val Situation.maxConnections: Int
    get() {
        val requests = load.users ?: connections.maxUnderWay
        val streams = if (connections.protocol == Protocol.HTTP_2) connections.streams else 1
        return (requests + streams - 1) / streams
    }

/** Protocol of a connection. */
@Serializable
enum class Protocol(val words: String) {
    HTTP_1_1("HTTP/1.1"),
    HTTP_2("HTTP/2"),
}

/** TLS 1.3 or 1.2, and the trusted certificate authorities. */
@Serializable
data class Tls(
    /** Certificates of trusted authorities, in PEM; null: those of the Java that runs the agent. */
    val authorities: String? = null,
    /** Accept any certificate. For tests only, because it does not authenticate the server. */
    val insecure: Boolean = false,
)

/** Parameters of an established TLS session. */
@Serializable
data class TlsSession(
    /** Such as `TLSv1.3`. */
    val protocol: String,
    /** By its name in RFC 8446 or the registry of TLS, such as `TLS_AES_128_GCM_SHA256`. */
    val cipher: String,
    /** Such as `h2`, by ALPN (RFC 7301); null where the server chose none, or where that is not known. */
    val alpn: String? = null,
)

/** What differs from the defaults, in words; empty where nothing does. */
fun Connections.words(): String {
    val usual = Connections()
    val over = listOfNotNull(
        protocol.words.takeIf { protocol != usual.protocol },
        tls?.let { if (it.insecure) "TLS with any certificate" else "TLS" },
    )
    return listOfNotNull(
        "over ${over.joinToString(" and ")}".takeIf { over.isNotEmpty() },
        "$streams requests at a time on a connection".takeIf { streams != usual.streams },
        "a connection for each request".takeIf { perRequest },
        "at most $maxUnderWay under way".takeIf { maxUnderWay != usual.maxUnderWay },
        "connected at once".takeIf { atOnce },
        "${delayNanos / 1_000_000.0} ms further away".replace(".0 ", " ").takeIf { delayNanos > 0 },
        "from ${sources.size} addresses".takeIf { sources.isNotEmpty() },
        cookies?.let { if (it.login == null) "keeping cookies" else "logged in" },
        "heads of up to $maxHeaderBytes bytes".takeIf { maxHeaderBytes != usual.maxHeaderBytes },
        "repeating what is not processed".takeIf { repeatUnprocessed },
    ).joinToString(", ")
}
