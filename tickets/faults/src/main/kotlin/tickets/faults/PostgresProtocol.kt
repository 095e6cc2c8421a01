package threadgauge.tickets.faults

import java.nio.ByteBuffer

/**
 * Between a service and PostgreSQL; see "Frontend/Backend Protocol" in its manual, chapter 54 of version 17. A statement is told once,
 * under a name, and asked for by its name from then on; so names are remembered. Commits are those of transactions that wrote.
 */
internal class PostgresProtocol : WireProtocol {
    /** What has come of a message that is not whole. Of the thread that hears who asks. */
    private var rest = ByteArray(0)

    /** Messages have no type before the one that begins the session. */
    private var hasBegun = false
    private val statements = HashMap<String, String>()

    /** Of the transaction under way. Set by the thread that hears who asks, and taken back by the other. */
    @Volatile
    private var hasWritten = false

    override fun onRequest(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        rest += bytes.copyOf(length)
        val texts = generateSequence(::next).mapNotNull(::asksFor).toList()
        if (texts.any { text -> WRITES.any { it in text } }) hasWritten = true
        return buildSet {
            add(ProtocolStep.REQUESTED)
            if (texts.any { GRANT in it }) add(ProtocolStep.GRANT_REQUESTED)
            if (hasWritten && texts.any { it.equals("COMMIT", ignoreCase = true) }) add(ProtocolStep.COMMIT_REQUESTED)
        }
    }

    override fun onResponse(bytes: ByteArray, length: Int): Set<ProtocolStep> {
        val isCommit = (0..length - COMMITTED.size).any { at -> COMMITTED.indices.all { bytes[at + it] == COMMITTED[it] } }
        if (!isCommit || !hasWritten) return emptySet()
        hasWritten = false
        return setOf(ProtocolStep.COMMITTED)
    }

    /** A message with its type; null where none is whole. */
    private fun next(): Pair<Char, ByteArray>? {
        val head = if (hasBegun) 1 else 0
        if (rest.size < head + LENGTH_BYTES) return null
        val size = head + ByteBuffer.wrap(rest).getInt(head)
        if (rest.size < size) return null
        val message = rest.copyOfRange(0, size)
        rest = rest.copyOfRange(size, rest.size)
        if (hasBegun) return message[0].toInt().toChar() to message.copyOfRange(1 + LENGTH_BYTES, size)
        // Asks for encryption come before it, and are no version.
        hasBegun = ByteBuffer.wrap(message).getShort(LENGTH_BYTES).toInt() == VERSION
        return NOTHING to message
    }

    /** The text of the statement that a message wants carried out; null where it wants something else. */
    private fun asksFor(message: Pair<Char, ByteArray>): String? {
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
        const val NOTHING = ' '
        val WRITES = listOf(GRANT, "insert into ", "update ", "delete from ")

        /** "Command complete" with the tag COMMIT: the byte `C`, a length of four bytes, the tag, and a zero. */
        val COMMITTED = byteArrayOf('C'.code.toByte(), 0, 0, 0, 11) + "COMMIT".encodeToByteArray() + 0
    }
}
