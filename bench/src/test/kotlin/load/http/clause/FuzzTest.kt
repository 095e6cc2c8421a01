package threadgauge.load.http.clause

import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.random.Random
import org.junit.jupiter.api.Test

/** Answers with changes that a fixed seed draws, read by our parser and by Netty's. */
class FuzzTest {
    private val answers = ALL_CLAUSES.filter { it.method == "GET" }.map { it.bytes.toByteArray(Charsets.ISO_8859_1) }

    @Test
    fun `what Netty reads as an answer is the same to us, or refused`() {
        val random = Random(1)
        var same = 0
        repeat(ROUNDS) {
            val bytes = mutated(answers, random)
            val text = String(bytes, Charsets.ISO_8859_1)
            val ours = verdict(bytes, headOnly = false).substringBefore(CLOSES)
            val netty = nettyVerdict(bytes)
            if (ours == REFUSED || netty == REFUSED || codingOutdoesLength(text)) return@repeat
            withClue(text) { ours shouldBe netty }
            same++
        }
        same shouldBeGreaterThan ROUNDS / 4
    }

    @Test
    fun `where the bytes are cut makes no difference, and all of them are used`() {
        val random = Random(2)
        repeat(ROUNDS) {
            val bytes = mutated(answers, random)
            val cuts = List(random.nextInt(1, 6)) { random.nextInt(bytes.size + 1) }.sorted()
            val whole = verdict(bytes, headOnly = false)
            withClue(String(bytes, Charsets.ISO_8859_1)) {
                verdict(bytes, headOnly = false, cuts) shouldBe whole
                verdict(bytes, headOnly = false, bytes.indices.toList()) shouldBe whole
            }
        }
    }

    /**
     * Where a head has both, Netty lets the length win over any coding but `chunked`; the RFC lets any coding win
     * (RFC 9112, section 6.3). Netty takes no `chunked` with a parameter for one, either.
     */
    private fun codingOutdoesLength(text: String) = Regex("(?i)transfer-encoding").containsMatchIn(text) &&
        Regex("(?i)content-length|HTTP/1.0").containsMatchIn(text)

    private companion object {
        const val ROUNDS = 10_000
    }
}
