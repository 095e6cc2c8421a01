package threadgauge.model

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonNames

/** How requests travel. The defaults are what most clients of a service do: HTTP/1.1, connections kept. */
@Serializable
data class Connections(
    val protocol: Protocol = Protocol.HTTP_1_1,
    /** Encrypted, where this is set. Without it HTTP/2 is spoken by prior knowledge (RFC 9113, section 3.3). */
    val tls: Tls? = null,
    /** A connection of its own for each request. HTTP/1.1 alone. */
    val perRequest: Boolean = false,
    /** Requests that may be under way on one connection at a time. HTTP/2 alone. */
    val streams: Int = 1,
    /** The largest number of requests that an open load may have under way, over all connections. */
    @JsonNames("most") val maxUnderWay: Int = 1_000,
    /** Open connections all at once, instead of 2,000 per second. */
    val atOnce: Boolean = false,
    /** Local addresses to connect from, in turn. Empty: the system chooses. */
    val sources: List<String> = emptyList(),
    /** Connections that an open load opens before its window; null: for what arrives in 50 ms. */
    val ahead: Int? = null,
    /**
     * Put onto each round trip between agent and server, in nanoseconds, as a longer way would: half of it in each
     * direction.
     */
    val delayNanos: Long = 0,
    /**
     * Whether users keep the cookies that they are given, and how they come to them; null: they keep none. HTTP/1.1
     * alone.
     */
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

/** Each user keeps the cookies that answers set, by their names alone, and sends them from then on. */
@Serializable
data class Cookies(
    /**
     * What a user sends once, before anything else, as no part of the load; null where the first answer brings the
     * cookies.
     */
    val login: Login? = null,
)

/** A form, sent by `POST` to [path]. */
@Serializable
data class Login(val path: String, val form: String)

/** Most connections that the load of a situation can have open at a time. */
val Situation.maxConnections: Int
    get() {
        val requests = load.users ?: connections.maxUnderWay
        val streams = if (connections.protocol == Protocol.HTTP_2) connections.streams else 1
        return (requests + streams - 1) / streams
    }

/** What is spoken on a connection. */
@Serializable
enum class Protocol(val words: String) {
    HTTP_1_1("HTTP/1.1"),
    HTTP_2("HTTP/2"),
}

/** TLS 1.3 or 1.2, and which certificates to trust. */
@Serializable
data class Tls(
    /** Certificates of authorities to believe, in PEM; null: those of the Java that runs the agent. */
    val authorities: String? = null,
    /** Believe any certificate: for tests only, since anybody could answer. */
    val insecure: Boolean = false,
)

/** What two sides agreed on for encryption. */
@Serializable
data class TlsSession(
    /** Such as `TLSv1.3`. */
    val protocol: String,
    /** By its name in RFC 8446 or the registry of TLS, such as `TLS_AES_128_GCM_SHA256`. */
    val cipher: String,
    /** Such as `h2`, by ALPN (RFC 7301); null where the server chose none, or where that is not known. */
    val alpn: String? = null,
)

/** What is unusual about them, for people; empty where nothing is. */
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
