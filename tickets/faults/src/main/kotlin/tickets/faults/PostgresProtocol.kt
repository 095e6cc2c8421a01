package threadgauge.tickets.faults

import java.nio.ByteBuffer

/**
 * Between a service and PostgreSQL; see "Frontend/Backend Protocol" in its manual, chapter 54 of version 17. The text
 * of a statement is sent once, under a name, and the statement is later executed by its name. So names are remembered.
 * Only commits of transactions that wrote are detected.
 */
internal class PostgresProtocol : WireProtocol {
    /** Bytes of an incomplete message. Owned by the thread of requests. */
    private var rest = ByteArray(0)

    /** Messages before the start of the session have no type. */
    private var hasBegun = false
    private val statements = HashMap<String, String>()

    /** The current transaction has written. Set by the thread of requests, and reset by that of responses. */
    @Volatile
    private var hasWritten = false

    override fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        rest += bytes.copyOf(length)
        val texts = generateSequence(::next).mapNotNull(::statementOf).toList()
        if (texts.any { text -> WRITES.any { it in text } }) hasWritten = true
        return buildSet {
            add(ProtocolStep.REQUESTED)
            if (texts.any { GRANT in it }) add(ProtocolStep.GRANT_REQUESTED)
            if (hasWritten && texts.any { it.equals("COMMIT", ignoreCase = true) }) add(ProtocolStep.COMMIT_REQUESTED)
        }
    }

    override fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        val isCommit = (0..length - COMMITTED.size).any { at ->
            COMMITTED.indices.all { bytes[at + it] == COMMITTED[it] }
        }
        if (!isCommit || !hasWritten) return emptySet()
        hasWritten = false
        return setOf(ProtocolStep.COMMITTED)
    }

    /** The next complete message and its type; null if there is none. */
    private fun next(): Pair<Char, ByteArray>? {
        val head = if (hasBegun) 1 else 0
        if (rest.size < head + LENGTH_BYTES) return null
        val size = head + ByteBuffer.wrap(rest).getInt(head)
        if (rest.size < size) return null
        val message = rest.copyOfRange(0, size)
        rest = rest.copyOfRange(size, rest.size)
        if (hasBegun) return message[0].toInt().toChar() to message.copyOfRange(1 + LENGTH_BYTES, size)
        // A request for encryption may precede the start, and has no protocol version.
        hasBegun = ByteBuffer.wrap(message).getShort(LENGTH_BYTES).toInt() == VERSION
        return NO_TYPE to message
    }

    /** The text of the statement that a message executes; null if it executes none. */
    private fun statementOf(message: Pair<Char, ByteArray>): String? {
        val (type, body) = message
        val texts = { String(body, Charsets.UTF_8).split('\u0000', limit = 3) }
        return when (type) {
            'P' -> null.also { texts().let { (name, text) -> statements[name] = text } }
            'B' -> texts().let { (_, name) -> statements[name] }
            'Q' -> texts().first()
            else -> null
        }
    }

    private companion object {
        const val GRANT = "from grant_seats("
        const val LENGTH_BYTES = 4
        const val VERSION = 3
        const val NO_TYPE = ' '
        val WRITES = listOf(GRANT, "insert into ", "update ", "delete from ")

        /** "Command complete" with the tag COMMIT: the byte `C`, a length of four bytes, the tag, and a zero. */
        val COMMITTED = byteArrayOf('C'.code.toByte(), 0, 0, 0, 11) + "COMMIT".encodeToByteArray() + 0
    }
}
