package threadgauge.load.http.clause

import io.kotest.assertions.withClue
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlin.random.Random
import org.junit.jupiter.api.Test

/** Answers with random changes from a fixed seed, parsed by our parser and by Netty's. */
class FuzzTest {
    private val answers = ALL_CLAUSES.filter { it.method == "GET" }.map { it.bytes.toByteArray(Charsets.ISO_8859_1) }

    @Test
    fun `our parser reads the same answer as Netty, or rejects it`() {
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
    fun `the result does not depend on where the bytes are cut, and all of them are used`() {
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
     * If a head has both, Netty prefers the length to any coding but `chunked`; the RFC prefers any coding (RFC 9112,
     * section 6.3). Netty does not recognize `chunked` with a parameter, either.
     */
    private fun codingOutdoesLength(text: String) = Regex("(?i)transfer-encoding").containsMatchIn(text) &&
        Regex("(?i)content-length|HTTP/1.0").containsMatchIn(text)

    private companion object {
        const val ROUNDS = 10_000
    }
}
