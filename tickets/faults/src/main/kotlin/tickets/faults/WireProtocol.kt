package threadgauge.tickets.faults

/** A step of a connection at which a fault can be injected. [description] is that of the fault. */
internal enum class ProtocolStep(val description: String) {
    /** The request never arrives. */
    REQUESTED("connections cut before a request"),

    /** Only PostgreSQL: a request for a grant, of a batch or of one client. */
    GRANT_REQUESTED("connections held before a grant"),
    COMMIT_REQUESTED("connections held before a commit"),

    /** The transaction is committed, and the service does not learn of it. */
    COMMITTED("connections cut after a commit"),

    /** A write command never arrives at Redis. */
    COMMAND_SENT("connections to Redis cut before a command"),

    /** Redis has executed a write command, and the service does not learn of it. */
    COMMAND_DONE("connections to Redis cut after a command"),

    /** The service sends a client the answer that seats are granted. */
    RESPONSE_SENT("clients cut off before a response"),
}

/**
 * Detects the steps of one connection from its bytes. Each direction has its own thread. Bytes may arrive in any
 * pieces, except that the message which ends a step arrives whole, because it is short and written at once.
 */
internal interface WireProtocol {
    fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep>

    fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep>
}

/** Between a service and Redis. Nearly all writes there are scripts; see "EVAL" in its documentation. */
internal class RedisProtocol : WireProtocol {
    /** Set by the thread of requests, and reset by that of responses. */
    @Volatile
    private var hasSentCommand = false

    override fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        val isCommand = SCRIPT in String(bytes, 0, length, Charsets.ISO_8859_1)
        if (isCommand) hasSentCommand = true
        return if (isCommand) setOf(ProtocolStep.COMMAND_SENT) else emptySet()
    }

    override fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        if (!hasSentCommand) return emptySet()
        hasSentCommand = false
        return setOf(ProtocolStep.COMMAND_DONE)
    }

    private companion object {
        const val SCRIPT = "EVAL"
    }
}

/** Between clients and a service. */
internal class HttpProtocol : WireProtocol {
    override fun onRequest(bytes: ByteArray, length: Int) = setOf(ProtocolStep.REQUESTED)

    override fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        val isCreated = String(bytes, 0, length, Charsets.ISO_8859_1).startsWith("HTTP/1.1 201 ")
        return if (isCreated) setOf(ProtocolStep.RESPONSE_SENT) else emptySet()
    }
}
