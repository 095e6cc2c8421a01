package threadgauge.tickets.faults

/** Where a connection is in what it is for. */
internal enum class ProtocolStep(val words: String) {
    /** The request never arrives. */
    REQUESTED("connections cut before a request"),

    /** Of PostgreSQL alone: the seats of a batch, or of one caller, are asked for. */
    GRANT_REQUESTED("connections held before a grant"),
    COMMIT_REQUESTED("connections held before a commit"),

    /** The transaction is in the books, and nobody hears of it. */
    COMMITTED("connections cut after a commit"),

    /** Redis never hears of an order that changes something. */
    COMMAND_SENT("connections to Redis cut before an order"),

    /** It has carried such an order out, and nobody hears of it. */
    COMMAND_DONE("connections to Redis cut after an order"),

    /** A caller is about to hear that he has seats. */
    RESPONSE_SENT("callers cut off before they heard"),
}

/**
 * Tells by the bytes of one connection which moments they make. Each way has a thread of its own, and bytes may come in any pieces; what
 * ends a moment comes whole, because it is short and written at once.
 */
internal interface WireProtocol {
    fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep>

    fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep>
}

/** Between a service and Redis. All that changes something there is a script, or most of it; see "EVAL" in its documentation. */
internal class RedisProtocol : WireProtocol {
    /** Set by the thread that hears who asks, and taken back by the other. */
    @Volatile
    private var hasOrdered = false

    override fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        val isOrder = SCRIPT in String(bytes, 0, length, Charsets.ISO_8859_1)
        if (isOrder) hasOrdered = true
        return if (isOrder) setOf(ProtocolStep.COMMAND_SENT) else emptySet()
    }

    override fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        if (!hasOrdered) return emptySet()
        hasOrdered = false
        return setOf(ProtocolStep.COMMAND_DONE)
    }

    private companion object {
        const val SCRIPT = "EVAL"
    }
}

/** Between callers and a service. */
internal class HttpProtocol : WireProtocol {
    override fun onRequest(bytes: ByteArray, length: Int) = setOf(ProtocolStep.REQUESTED)

    override fun onResponse(bytes: ByteArray, length: Int) =
        if (String(bytes, 0, length, Charsets.ISO_8859_1).startsWith("HTTP/1.1 201 ")) setOf(ProtocolStep.RESPONSE_SENT) else emptySet()
}
