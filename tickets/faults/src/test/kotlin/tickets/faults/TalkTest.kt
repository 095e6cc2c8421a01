package threadgauge.tickets.faults

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import org.junit.jupiter.api.Test
import java.io.ByteArrayOutputStream
import java.io.DataOutputStream

class TalkTest {
    private val postgres = PostgresTalk().also { it.heard(message(null, "\u0000\u0003\u0000\u0000user\u0000me\u0000\u0000")) }

    @Test
    fun `a grant and its commit are known by the names of their statements, in whatever pieces they come`() {
        val told = message('P', "grant\u0000select * from grant_seats(?)\u0000\u0000\u0000")
        postgres.heard(told) shouldContainExactlyInAnyOrder setOf(Moment.ASKED)
        val bytes = message('B', "\u0000grant\u0000rest") + message('E', "\u0000\u0000\u0000\u0000\u0000")
        postgres.heard(bytes.copyOfRange(0, 8)) shouldContainExactlyInAnyOrder setOf(Moment.ASKED)
        postgres.heard(bytes.copyOfRange(8, bytes.size)) shouldContainExactlyInAnyOrder setOf(Moment.ASKED, Moment.GRANT_ASKED)
        postgres.heard(message('Q', "COMMIT\u0000")) shouldContainExactlyInAnyOrder setOf(Moment.ASKED, Moment.COMMIT_ASKED)
        val commit = message('C', "COMMIT\u0000")
        postgres.answered(commit, commit.size) shouldContainExactlyInAnyOrder setOf(Moment.COMMITTED)
    }

    @Test
    fun `the commit of who has only read is none`() {
        postgres.heard(message('Q', "select 1\u0000"))
        postgres.heard(message('Q', "COMMIT\u0000")) shouldContainExactlyInAnyOrder setOf(Moment.ASKED)
        val commit = message('C', "COMMIT\u0000")
        postgres.answered(commit, commit.size).shouldBeEmpty()
    }

    @Test
    fun `MariaDB says that all is well after a commit, and something else where it is not`() {
        val maria = MariaTalk()
        val commit = byteArrayOf(7, 0, 0, 0, 3) + "COMMIT".encodeToByteArray()
        val well = byteArrayOf(7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)
        val failed = byteArrayOf(7, 0, 0, 1, -1, 0, 0, 2, 0, 0, 0)
        maria.answered(well, well.size).shouldBeEmpty()
        maria.heard(commit) shouldContainExactlyInAnyOrder setOf(Moment.ASKED, Moment.COMMIT_ASKED)
        maria.answered(failed, failed.size).shouldBeEmpty()
        maria.heard(commit)
        maria.answered(well, well.size) shouldContainExactlyInAnyOrder setOf(Moment.COMMITTED)
        maria.answered(well, well.size).shouldBeEmpty()
    }

    @Test
    fun `a caller is told when the answer says that he has seats`() {
        val talk = HttpTalk()
        fun answered(text: String) = talk.answered(text.encodeToByteArray(), text.length)
        answered("HTTP/1.1 201 Created\r\n") shouldContainExactlyInAnyOrder setOf(Moment.TOLD)
        answered("HTTP/1.1 409 Conflict\r\n").shouldBeEmpty()
    }

    private fun Talk.heard(bytes: ByteArray) = asked(bytes, bytes.size)

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
