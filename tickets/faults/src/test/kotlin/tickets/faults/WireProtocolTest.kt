package threadgauge.tickets.faults

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import java.io.ByteArrayOutputStream
import java.io.DataOutputStream
import org.junit.jupiter.api.Test

class WireProtocolTest {
    private val postgres = PostgresProtocol().also {
        it.requested(message(null, "\u0000\u0003\u0000\u0000user\u0000me\u0000\u0000"))
    }

    @Test
    fun `a grant and its commit are detected by the names of their statements, in any pieces`() {
        val parse = message('P', "grant\u0000select * from grant_seats(?)\u0000\u0000\u0000")
        postgres.requested(parse) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED)
        val bytes = message('B', "\u0000grant\u0000rest") + message('E', "\u0000\u0000\u0000\u0000\u0000")
        postgres.requested(bytes.copyOfRange(0, 8)) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED)
        postgres.requested(bytes.copyOfRange(8, bytes.size)) shouldContainExactlyInAnyOrder
            setOf(ProtocolStep.REQUESTED, ProtocolStep.GRANT_REQUESTED)
        postgres.requested(message('Q', "COMMIT\u0000")) shouldContainExactlyInAnyOrder
            setOf(ProtocolStep.REQUESTED, ProtocolStep.COMMIT_REQUESTED)
        val commit = message('C', "COMMIT\u0000")
        postgres.onResponse(commit, commit.size) shouldContainExactlyInAnyOrder setOf(ProtocolStep.COMMITTED)
    }

    @Test
    fun `the commit of a transaction that only read is not detected`() {
        postgres.requested(message('Q', "select 1\u0000"))
        postgres.requested(message('Q', "COMMIT\u0000")) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED)
        val commit = message('C', "COMMIT\u0000")
        postgres.onResponse(commit, commit.size).shouldBeEmpty()
    }

    @Test
    fun `a commit in MariaDB is detected by its OK packet`() {
        val maria = MariaProtocol()
        val commit = byteArrayOf(7, 0, 0, 0, 3) + "COMMIT".encodeToByteArray()
        val ok = byteArrayOf(7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)
        val failed = byteArrayOf(7, 0, 0, 1, -1, 0, 0, 2, 0, 0, 0)
        maria.onResponse(ok, ok.size).shouldBeEmpty()
        maria.requested(commit) shouldContainExactlyInAnyOrder
            setOf(ProtocolStep.REQUESTED, ProtocolStep.COMMIT_REQUESTED)
        maria.onResponse(failed, failed.size).shouldBeEmpty()
        maria.requested(commit)
        maria.onResponse(ok, ok.size) shouldContainExactlyInAnyOrder setOf(ProtocolStep.COMMITTED)
        maria.onResponse(ok, ok.size).shouldBeEmpty()
    }

    @Test
    fun `a response with granted seats is detected`() {
        val protocol = HttpProtocol()
        fun answered(text: String) = protocol.onResponse(text.encodeToByteArray(), text.length)
        answered("HTTP/1.1 201 Created\r\n") shouldContainExactlyInAnyOrder setOf(ProtocolStep.RESPONSE_SENT)
        answered("HTTP/1.1 409 Conflict\r\n").shouldBeEmpty()
    }

    private fun WireProtocol.requested(bytes: ByteArray) = onRequest(bytes, bytes.size)

    /** By PostgreSQL's manual: a type, except for the first message, and a length that includes itself. */
    private fun message(type: Char?, body: String): ByteArray {
        val bytes = ByteArrayOutputStream()
        DataOutputStream(bytes).run {
            type?.let { writeByte(it.code) }
            writeInt(Int.SIZE_BYTES + body.length)
            writeBytes(body)
        }
        return bytes.toByteArray()
    }
}
