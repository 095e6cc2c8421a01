package threadgauge.load.http.clause

import io.kotest.assertions.assertSoftly
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotBeEmpty
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** What RFC 9112 and RFC 9110 demand of a client, clause by clause. */
class ClausesTest {
    @Test
    fun `each clause has the expected result, wherever its bytes are cut`() = assertSoftly {
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
    fun `each clause is listed once, with the reason where other clients differ`() {
        ALL_CLAUSES.map { it.rule }.shouldBeUnique()
        for (clause in ALL_CLAUSES) {
            val differ = setOf(clause.java, clause.curl) != setOf(others(clause.ours))
            withClue(clause.rule) { if (differ) clause.why.shouldNotBeEmpty() else clause.why shouldBe "" }
        }
    }
}

/** Checks the columns of the other clients against these clients. */
@Tag("ports")
class OtherClientsTest {
    @Test
    fun `Java's client has the result that the table states`() = assertSoftly {
        for (clause in ALL_CLAUSES) withClue(clause.rule) { OtherClients.java(clause) shouldBe clause.java }
    }

    /** Other versions may have other results. */
    @Test
    @Tag("processes")
    fun `curl has the result that the table states`() {
        assumeTrue(OtherClients.curlVersion == CURL_VERSION, "it is not curl $CURL_VERSION")
        assertSoftly {
            for (clause in ALL_CLAUSES) withClue(clause.rule) { OtherClients.curl(clause) shouldBe clause.curl }
        }
    }
}
