package threadgauge.experiment.yaml

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import org.junit.jupiter.api.Test
import threadgauge.experiment.asking
import threadgauge.experiment.mistakes
import threadgauge.experiment.problems
import threadgauge.experiment.read

/** Blanks that nobody sees are named for what they are, where they are. */
class ExoticBlanksTest {
    @Test
    fun `each is named after a key, after a value, after a colon and as an indent`() {
        for ((blank, name) in NAMES) withClue(name) {
            val says = "a $name stands here, which YAML takes for a letter"
            problems(requestOf("  gzip: yes$blank")) shouldContainExactly listOf("7:12 $says")
            problems(requestOf("  gzip: $blank yes")) shouldContainExactly listOf("7:9 $says")
            problems(requestOf("  gzip$blank: yes")) shouldContainExactly listOf("7:7 $says")
            problems(requestOf("  gzip:${blank}yes")) shouldContainExactly listOf("7:8 $says")
            problems(requestOf("  gzip: yes\n$blank count: x")) shouldContainExactly listOf("8:1 $says")
            val list = asking("GET /").replace("ktor-netty", "\n  -${blank}ktor-netty")
            mistakes(list).first().toString() shouldContain name
        }
    }

    @Test
    fun `within a value that is wrong it is named with its column`() {
        val wrong = mistakes(asking("GET /", load = "{users: 5, for: 5\u00A0s}")).single()
        "${wrong.line}:${wrong.column} ${wrong.problem}" shouldBe "4:23 for: \"\u00A0s\" is not a unit of a duration"
        wrong.remedy shouldEndWith "Column 24 holds a no-break space (U+00A0), which is no plain space."
        mistakes(asking("GET /").replace("ktor-netty", "ktor\u200B-netty")).single().remedy shouldContain
            "Column 13 holds a zero width space (U+200B)"
        mistakes(asking("GET /").replace("ktor-netty", "\"ktor\\u00A0netty\"")).single().remedy shouldContain
            "It holds a no-break space (U+00A0)"
    }

    @Test
    fun `where people write them on purpose they stay`() {
        val question = "Combien de fils\u00A0pour \u3000ça, 1\u202F000\u00A0?"
        read(asking("GET /").replace("b?", question)).question shouldBe question
        read(asking("{send: POST /, body: \"\u00A0a\u00A0\"} # a comment:\u00A0")).situations.single()
            .request.body shouldBe "\u00A0a\u00A0"
    }

    @Test
    fun `a byte-order mark within the text is named, one before it is read over`() {
        problems(requestOf("  gzip: yes\uFEFF")) shouldContainExactly
            listOf("7:12 this is not plain text: a byte-order mark (U+FEFF)")
        read("\uFEFF" + requestOf("  gzip: yes")).situations.single().request.gzip shouldBe true
    }

    @Test
    fun `the mark in the shown line stands under the blank`() {
        val shown = mistakes(requestOf("  gzip: yes\u3000")).single().render()
        shown shouldContain " 7 |   gzip: yes\uFFFD\n   |            ^\n"
    }

    private fun requestOf(lines: String) = asking("\n  send: GET /", more = "$lines\n")

    private companion object {
        val NAMES = mapOf(
            "\u00A0" to "no-break space (U+00A0)", "\u2007" to "figure space (U+2007)",
            "\u202F" to "narrow no-break space (U+202F)", "\u3000" to "ideographic space (U+3000)",
            "\u200B" to "zero width space (U+200B)", "\u2060" to "word joiner (U+2060)",
            "\u3164" to "hangul filler (U+3164)", "\u00AD" to "soft hyphen (U+00AD)",
        )
    }
}
