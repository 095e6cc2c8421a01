package threadgauge.load.http.clause

import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotBeEmpty
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** What RFC 9112 and RFC 9110 ask of a client, clause by clause. */
class ClausesTest {
    @Test
    fun `each clause has the answer that it should have, wherever its bytes are cut`() = assertSoftly {
        for (clause in ALL_CLAUSES) {
            val bytes = clause.bytes.toByteArray(Charsets.ISO_8859_1)
            fun verdict(vararg cuts: Int) = verdict(bytes, clause.method == "HEAD", cuts.toList())
            withClue(clause.rule) {
                verdict() shouldBe clause.ours
                for (cut in 1..<bytes.size) withClue("cut at $cut") { verdict(cut) shouldBe clause.ours }
                for (cut in 1..<bytes.size - 1) withClue("cut at $cut") { verdict(cut, cut + 1) shouldBe clause.ours }
                verdict(*(1..<bytes.size).toList().toIntArray()) shouldBe clause.ours
            }
        }
    }

    @Test
    fun `each clause stands once, and says why other clients differ where they do`() {
        ALL_CLAUSES.map { it.rule }.shouldBeUnique()
        for (clause in ALL_CLAUSES) {
            val differ = setOf(clause.java, clause.curl) != setOf(others(clause.ours))
            withClue(clause.rule) { if (differ) clause.why.shouldNotBeEmpty() else clause.why shouldBe "" }
        }
    }
}

/** Shows that the columns of the other clients are what these clients do. */
@Tag("ports")
class OtherClientsTest {
    @Test
    fun `Java's client says what stands beside our answer`() = assertSoftly {
        for (clause in ALL_CLAUSES) withClue(clause.rule) { OtherClients.java(clause) shouldBe clause.java }
    }

    /** Other versions may well say something else. */
    @Test
    @Tag("processes")
    fun `curl says what stands beside our answer`() {
        assumeTrue(OtherClients.curlVersion == CURL_VERSION, "it is not curl $CURL_VERSION")
        assertSoftly {
            for (clause in ALL_CLAUSES) withClue(clause.rule) { OtherClients.curl(clause) shouldBe clause.curl }
        }
    }
}
