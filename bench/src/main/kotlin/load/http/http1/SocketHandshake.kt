package threadgauge.load.http.http1

import java.security.MessageDigest
import java.util.Base64

/** What a client sends to begin a WebSocket, besides a GET (RFC 6455, section 4.1). */
internal val SOCKET_HEADERS: List<Pair<String, String>> get() = listOf(
    "Connection" to "Upgrade",
    "Upgrade" to "websocket",
    "Sec-WebSocket-Version" to "13",
    "Sec-WebSocket-Key" to SOCKET_KEY,
)

/** Header with the server's answer to the key. */
internal const val SOCKET_ACCEPT = "Sec-WebSocket-Accept"

/**
 * The same for every request. A key tells a client that its answer comes from no cache, and no request of a load may be
 * answered by one.
 */
private val SOCKET_KEY = Base64.getEncoder().encodeToString("threadgauge load".toByteArray())

/** The right answer to the key: both constants are those of the standard. */
internal val ACCEPTED_KEY: String = Base64.getEncoder().encodeToString(
    MessageDigest.getInstance("SHA-1").digest("${SOCKET_KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".toByteArray()),
)
