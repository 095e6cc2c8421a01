package threadgauge.tickets.faults

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import org.junit.jupiter.api.Test
import java.io.ByteArrayOutputStream
import java.io.DataOutputStream

class WireProtocolTest {
    private val postgres = PostgresProtocol().also { it.requested(message(null, "\u0000\u0003\u0000\u0000user\u0000me\u0000\u0000")) }

    @Test
    fun `a grant and its commit are known by the names of their statements, in whatever pieces they come`() {
        val told = message('P', "grant\u0000select * from grant_seats(?)\u0000\u0000\u0000")
        postgres.requested(told) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED)
        val bytes = message('B', "\u0000grant\u0000rest") + message('E', "\u0000\u0000\u0000\u0000\u0000")
        postgres.requested(bytes.copyOfRange(0, 8)) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED)
        postgres.requested(bytes.copyOfRange(8, bytes.size)) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED, ProtocolStep.GRANT_REQUESTED)
        postgres.requested(message('Q', "COMMIT\u0000")) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED, ProtocolStep.COMMIT_REQUESTED)
        val commit = message('C', "COMMIT\u0000")
        postgres.onResponse(commit, commit.size) shouldContainExactlyInAnyOrder setOf(ProtocolStep.COMMITTED)
    }

    @Test
    fun `the commit of who has only read is none`() {
        postgres.requested(message('Q', "select 1\u0000"))
        postgres.requested(message('Q', "COMMIT\u0000")) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED)
        val commit = message('C', "COMMIT\u0000")
        postgres.onResponse(commit, commit.size).shouldBeEmpty()
    }

    @Test
    fun `MariaDB says that all is well after a commit, and something else where it is not`() {
        val maria = MariaProtocol()
        val commit = byteArrayOf(7, 0, 0, 0, 3) + "COMMIT".encodeToByteArray()
        val well = byteArrayOf(7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)
        val failed = byteArrayOf(7, 0, 0, 1, -1, 0, 0, 2, 0, 0, 0)
        maria.onResponse(well, well.size).shouldBeEmpty()
        maria.requested(commit) shouldContainExactlyInAnyOrder setOf(ProtocolStep.REQUESTED, ProtocolStep.COMMIT_REQUESTED)
        maria.onResponse(failed, failed.size).shouldBeEmpty()
        maria.requested(commit)
        maria.onResponse(well, well.size) shouldContainExactlyInAnyOrder setOf(ProtocolStep.COMMITTED)
        maria.onResponse(well, well.size).shouldBeEmpty()
    }

    @Test
    fun `a caller is told when the answer says that he has seats`() {
        val protocol = HttpProtocol()
        fun answered(text: String) = protocol.onResponse(text.encodeToByteArray(), text.length)
        answered("HTTP/1.1 201 Created\r\n") shouldContainExactlyInAnyOrder setOf(ProtocolStep.RESPONSE_SENT)
        answered("HTTP/1.1 409 Conflict\r\n").shouldBeEmpty()
    }

    private fun WireProtocol.requested(bytes: ByteArray) = onRequest(bytes, bytes.size)

    /** As PostgreSQL's manual has it: a type, unless it is the first, and a length that counts itself. */
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
