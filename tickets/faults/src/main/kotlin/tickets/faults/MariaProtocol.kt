package threadgauge.tickets.faults

/**
 * Between a service and MariaDB; see COM_QUERY and OK_Packet in its documentation. A packet is a length of three bytes,
 * a sequence number, and the payload.
 *
 * Statements are executed by numbers that the server assigns, so the content of a transaction is not known here. All
 * commits count as commits of writes, and grants are not detected.
 */
internal class MariaProtocol : WireProtocol {
    /** The next response is to a commit. Set by the thread of requests, and reset by that of responses. */
    @Volatile
    private var isCommit = false

    override fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        isCommit = length == HEAD_BYTES + COMMIT.size && COMMIT.indices.all { bytes[HEAD_BYTES + it] == COMMIT[it] }
        return if (isCommit) setOf(ProtocolStep.REQUESTED, ProtocolStep.COMMIT_REQUESTED) else
            setOf(ProtocolStep.REQUESTED)
    }

    override fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        val isDone = isCommit && length > HEAD_BYTES && bytes[HEAD_BYTES] == OK
        isCommit = false
        return if (isDone) setOf(ProtocolStep.COMMITTED) else emptySet()
    }

    private companion object {
        const val HEAD_BYTES = 4
        const val OK: Byte = 0

        /** COM_QUERY, and its text. */
        val COMMIT = byteArrayOf(3) + "COMMIT".encodeToByteArray()
    }
}
