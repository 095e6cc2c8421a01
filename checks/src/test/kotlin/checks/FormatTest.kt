package threadgauge.checks

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test

/** With `-Dformat=true` it first corrects what a program can correct. */
class FormatTest {
    private val form = KotlinForm()

    @Test
    fun `every Kotlin source has the common form`() {
        val sources = projectFiles().filter { it.isKotlin }
        sources.size shouldBeGreaterThan 500
        val offences = sources.parallelStream().map(if (FORMAT) ::correct else form::offences).toList().flatten()
        withClue("${offences.size} offences; -Dformat=true corrects what a program can correct") {
            offences.joinToString("\n") shouldBe ""
        }
    }

    private fun correct(file: ProjectFile): List<String> {
        val (text, rest) = form.corrected(file)
        if (text != file.text) projectRoot.resolve(file.path).writeText(text)
        return rest
    }

    @Test
    fun `each common offence is found, and corrected where a program can`() {
        for ((rule, bad, good) in OFFENCES) withClue(rule) {
            val file = ProjectFile(PATH, bad)
            form.offences(file).joinToString("\n") shouldContain "$PATH:"
            form.offences(file).joinToString("\n") shouldContain "(standard:$rule)"
            form.corrected(file).first shouldBe (good ?: bad)
            if (good != null) form.offences(ProjectFile(PATH, good)).shouldBeEmpty()
        }
    }

    @Test
    fun `text that is no Kotlin is an offence, not a crash`() {
        form.offences(ProjectFile(PATH, "package a\n\nfun {\n")).single() shouldContain "is no Kotlin"
    }

    private class Offence(val rule: String, val bad: String, val good: String? = null) {
        operator fun component1() = rule
        operator fun component2() = bad
        operator fun component3() = good
    }

    private companion object {
        val FORMAT = System.getProperty("format") == "true"
        const val PATH = "bench/src/main/kotlin/stats/Mean.kt"
        const val START = "package threadgauge.stats\n\n"

        /** A rule, a text that breaks it, and what the text becomes; without one, a person has to mend it. */
        val OFFENCES = listOf(
            Offence("max-line-length", "${START}val mean = ${(1..40).joinToString(" + ")}\n"),
            Offence("no-trailing-spaces", "${START}val a = 1  \n", "${START}val a = 1\n"),
            Offence("final-newline", "${START}val a = 1", "${START}val a = 1\n"),
            Offence("indent", "${START}class A {\n\tval a = 1\n}\n", "${START}class A {\n    val a = 1\n}\n"),
            Offence("no-consecutive-blank-lines", "$START\nval a = 1\n", "${START}val a = 1\n"),
            Offence(
                "import-ordering",
                "${START}import java.util.UUID\nimport java.net.URI\n\nval a = URI(\"a\") to UUID(1, 2)\n",
                "${START}import java.net.URI\nimport java.util.UUID\n\nval a = URI(\"a\") to UUID(1, 2)\n",
            ),
            Offence(
                "no-unused-imports",
                "${START}import java.net.URI\nimport java.util.UUID\n\nval a = URI(\"a\")\n",
                "${START}import java.net.URI\n\nval a = URI(\"a\")\n",
            ),
            Offence("no-wildcard-imports", "${START}import java.net.*\n\nval a = URI(\"a\")\n"),
            Offence("op-spacing", "${START}val a = 1+1\n", "${START}val a = 1 + 1\n"),
            Offence("class-naming", "${START}class mean\n"),
        )
    }
}
