package threadgauge.experiment.claim

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import threadgauge.experiment.mistakesBeside
import threadgauge.experiment.problems
import threadgauge.experiment.read
import threadgauge.experiment.yaml.words
import threadgauge.model.claim.Bound
import threadgauge.model.claim.Claim
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Source
import threadgauge.model.claim.Statement
import threadgauge.wording.claim.words

class ClaimsReaderTest {
    @Test
    fun `a claim says of which cells it is, and how they stand to each other`() {
        statements("throughput of ktor-netty in few >= 14 x spring-mvc in many") shouldContainExactly listOf(
            Statement(
                ClaimMeasure.THROUGHPUT, ClaimCell("ktor-netty", "few"), Relation.AT_LEAST,
                Bound.Times(14.0, ClaimCell("spring-mvc", "many")),
            ),
        )
        statements("p99 of spring-mvc in few < 50ms") shouldContainExactly
            listOf(Statement(ClaimMeasure.P99, ClaimCell("spring-mvc", "few"), Relation.LESS, Bound.Value(50.0)))
        statements("boot of ktor-netty <= spring-mvc / 4") shouldContainExactly
            listOf(Statement(ClaimMeasure.BOOT, ClaimCell("ktor-netty"), Relation.AT_MOST, Bound.Times(
                0.25, ClaimCell("spring-mvc"),
            )))
        statements("errors of spring-mvc in few = 0%").single().right shouldBe Bound.Value(0.0)
        statements("allocated of spring-mvc in few <= 0.024MB").single().let {
            it.right shouldBe Bound.Value(24.0)
            it.words() shouldBe "Allocation per request of spring-mvc in few is at most 24 kB"
        }
        statements("oversold of spring-mvc in few = 0").single().right shouldBe Bound.Value(0.0)
    }

    @Test
    fun `without in it is about every situation, with one for both sides`() {
        statements("throughput of ktor-netty > spring-mvc").map { it.words() } shouldContainExactly listOf(
            "Throughput of ktor-netty in few is more than that of spring-mvc in few",
            "Throughput of ktor-netty in many is more than that of spring-mvc in many",
        )
        statements("throughput of ktor-netty > spring-mvc in many, few") shouldBe
            statements("throughput of ktor-netty in many and few > spring-mvc")
        statements("throughput of spring-mvc in many > 2 x spring-mvc in few").single().words() shouldBe
            "Throughput of spring-mvc in many is more than 2 times that of spring-mvc in few"
    }

    @ParameterizedTest
    @ValueSource(
        strings = [
            "throughput of ktor-netty ≥ 2 × spring-mvc in few", "Throughput of ktor-netty => 2 * spring-mvc in few",
            "throughput of ktor-netty>=2 x throughput of spring-mvc in few",
            "throughput of ktor-netty in few >= spring-mvc x 2",
        ],
    )
    fun `other signs and another order mean the same`(text: String) {
        statements(text) shouldBe statements("throughput of ktor-netty >= 2 x spring-mvc in few")
    }

    @Test
    fun `a source, published figures and a claim with both readings are read`() {
        val read = read(
            file(
                "    as-published: throughput of ktor-netty in many > spring-mvc in few\n" +
                    "    corrected: throughput of ktor-netty > spring-mvc",
            ) +
                "source: {title: A post, author: Somebody, date: 2024-05}\n" +
                "published:\n  - throughput of spring-mvc in few = 192.6/s\n  - p50 of ktor-netty in many = " +
                "30ms..50ms\n",
        )
        read.source shouldBe Source("A post", "Somebody", "2024-05")
        read.published shouldContainExactly listOf(
            PublishedFigure(ClaimMeasure.THROUGHPUT, ClaimCell("spring-mvc", "few"), 192.6, 192.6),
            PublishedFigure(ClaimMeasure.P50, ClaimCell("ktor-netty", "many"), 30.0, 50.0),
        )
        val claim = read.claims.single()
        claim.name to claim.says shouldBe ("c" to "It is so.")
        claim.asPublished.size to claim.corrected.size shouldBe (1 to 2)
    }

    @Test
    fun `a claim may be one line`() {
        val claim = read(HEAD + "claims:\n  - p50 of ktor-netty in few < 1s\n").claims.single()
        claim.copy(corrected = emptyList()) shouldBe Claim("claim-1", "P50 of ktor-netty in few < 1s.")
    }

    @Test
    fun `each mistake in a claim has its place, what was expected and the nearest spelling`() {
        val cases = listOf(
            "througput of ktor-netty > 5/s" to
                "16:5 expected a measure, not \"througput\" | Did you mean \"throughput\"?",
            "throughput ktor-netty > 5/s" to
                "16:16 expected \"of\" after \"throughput\", not \"ktor-netty\" | Write throughput of",
            "throughput of ktor-nety > 5/s" to
                "16:19 expected a stack of this experiment, not \"ktor-nety\" | Did you mean \"ktor-netty\"?",
            "throughput of ktor-netty 5/s" to "16:30 expected one of >=, <=, >, < and =, not \"5/s\" | ",
            "throughput of ktor-netty > 5" to "16:32 \"5\" has no unit | Write 5/s",
            "p99 of ktor-netty < 50/s" to "16:25 \"/s\" is not a unit of a duration | ",
            "throughput of ktor-netty > 2 x spring-mvx" to
                "16:36 expected a stack of this experiment, not \"spring-mvx\" | Did you mean \"spring-mvc\"?",
            "throughput of ktor-netty > 2 x" to "16:35 expected a stack, and the claim ends here | ",
            "throughput of ktor-netty > spring-mvc / 0" to "16:45 expected a number above 0, not \"0\" | ",
            "throughput of ktor-netty > spring-mvc in fev" to
                "16:46 expected a situation of this experiment, not \"fev\" | Did you mean \"few\"?",
            "boot of ktor-netty < 1s in few" to "16:29 boot is one of the whole process, not of a situation | ",
            "throughput of ktor-netty > ktor-netty in few" to "16:43 ktor-netty is compared with itself | ",
            "p99 of ktor-netty < p50 of spring-mvc" to "16:25 expected \"p99\", not \"p50\" | ",
            "throughput of ktor-netty in few > 5/s in many" to "16:43 \"in\" stands twice | ",
            "throughput of ktor-netty > 5/s really" to "16:36 expected the end of the claim, not \"really\" | ",
            "throughput of ktor-netty in few, many > 2 x spring-mvc in few" to "16:60 \"in\" stands twice | ",
        )
        for ((text, expected) in cases) {
            val found = mistakesBeside(HEAD + "claims:\n  - $text\n")
            found.size to text shouldBe (1 to text)
            found.single() shouldContain expected
        }
    }

    @Test
    fun `places are right in quotes and in another key, and a folded text is told by its beginning`() {
        problems(HEAD + "claims:\n  - \"throughput of ktor-nety > 5/s\"\n").single() shouldContain "16:20 "
        problems(file("    corrected: throughput of ktor-nety > 5/s")).single() shouldContain "18:30 "
        problems(file("    corrected: >-\n      throughput of\n      ktor-nety > 5/s")).single() shouldContain "18:16 "
        problems(HEAD + "published:\n  - throughput of ktor-netty in few > 5/s\n")
            .single() shouldContain "16:37 expected \"=\""
        problems(HEAD + "published:\n  - p50 of ktor-netty in few = 50ms..30ms\n").single() shouldContain
            "16:32 \"50ms..30ms\" ends below its start"
    }

    @Test
    fun `all claims are read, whatever is wrong with one of them`() {
        problems(HEAD + "claims:\n  - a\n  - {name: x}\n  - throughput of ktor-netty > 5\n").size shouldBe 4
        problems(file("    correctd: x")).single() shouldContain "unknown key \"correctd\" in a claim"
        problems(file("    why: because")).single() shouldContain "this claim states nothing"
        problems(HEAD + "source: {author: x}\n").single() shouldContain "source has no \"title\""
        val twice = "  - {name: c, says: It is so., corrected: boot of ktor-netty < 1s}\n"
        problems(HEAD + "claims:\n$twice$twice").single() shouldContain "17:5 a claim on line 16 is named \"c\" too"
    }

    @Test
    fun `a stack that could not be read does not make every claim a mistake`() {
        problems(HEAD.replace("ktor-netty]", "ktor-nety]") + "claims:\n  - throughput of ktor-nety > 5/s\n")
            .size shouldBe 1
    }

    private fun statements(text: String) = read(HEAD + "claims:\n  - \"$text\"\n").claims.single().corrected

    private fun file(claim: String) = HEAD + "claims:\n  - name: c\n    says: It is so.\n$claim\n"

    private companion object {
        /** 14 lines, so that "claims:" is the 15th. */
        val HEAD = """
            name: claims
            question: Is it so?
            stacks: [spring-mvc, ktor-netty]
            situations:
              - name: few
                words: come from few users
                request: GET /delay/10
                load: {users: 5, for: 5s}
              - name: many
                words: come from many users
                request: GET /delay/10
                load: {users: 50, for: 5s}
            trials: 3
            margin: 3%

        """.trimIndent()
    }
}
