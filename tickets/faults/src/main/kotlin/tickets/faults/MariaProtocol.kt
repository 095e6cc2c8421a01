package threadgauge.tickets.faults

/**
 * Between a service and MariaDB; see COM_QUERY and OK_Packet in its documentation. A packet is a length of three bytes, a number, and what
 * it says. Statements are carried out by numbers that the server gives them, so what a transaction does is not known here: its commits are
 * all commits, and grants are not told.
 */
internal class MariaProtocol : WireProtocol {
    /** The answer that comes next is to a commit. Set by the thread that hears who asks, and taken back by the other. */
    @Volatile
    private var isCommit = false

    override fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        isCommit = length == HEAD_BYTES + COMMIT.size && COMMIT.indices.all { bytes[HEAD_BYTES + it] == COMMIT[it] }
        return if (isCommit) setOf(ProtocolStep.REQUESTED, ProtocolStep.COMMIT_REQUESTED) else setOf(ProtocolStep.REQUESTED)
    }

    override fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        val isDone = isCommit && length > HEAD_BYTES && bytes[HEAD_BYTES] == OK
        isCommit = false
        return if (isDone) setOf(ProtocolStep.COMMITTED) else emptySet()
    }

    private companion object {
        const val HEAD_BYTES = 4
        const val OK: Byte = 0

        /** The order to carry out a text, and the text. */
        val COMMIT = byteArrayOf(3) + "COMMIT".encodeToByteArray()
    }
}
