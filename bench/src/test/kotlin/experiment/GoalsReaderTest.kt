package threadgauge.experiment

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.experiment.load.readSlo
import threadgauge.model.Slo

class GoalsReaderTest {
    private fun slo(text: String): Slo = readSlo(text, "--goals")

    private fun file(first: String = "", second: String = "", more: String = "") = """
        |name: a
        |question: b?
        |stacks: ktor-netty
        |situations:
        |  - {name: one, words: b, request: GET /, load: {burst: 1}$first}
        |  - name: two
        |    words: c
        |    request: GET /hello
        |    load: {burst: 2}
        |$second
        |$more
    """.trimMargin()

    @Test
    fun `goals of a file are those of all situations`() {
        read(file(more = "goals: p99<300ms, errors<0.1%")).goals shouldBe
            mapOf("one" to slo("p99<300ms,errors<0.1%"), "two" to slo("p99<300ms,errors<0.1%"))
        read(file()).goals.shouldBeEmpty()
    }

    @Test
    fun `goals of a situation replace those of the file`() {
        val own = file(second = "    goals: p90<1s", more = "goals: p99<300ms")
        read(own).goals shouldBe mapOf("one" to slo("p99<300ms"), "two" to slo("p90<1s"))
        read(file(first = ", goals: \"max<2s, throughput>200/s\"")).goals shouldBe
            mapOf("one" to slo("max<2s,throughput>200/s"))
    }

    @Test
    fun `in the short form they are those of each combination`() {
        val head = "name: a\nquestion: b?\nstacks: ktor-netty\n"
        val short = read(head + "request: [GET /, GET /hello]\nload: {burst: 1}\ngoals: mean<5ms")
        short.goals shouldBe short.situations.associate { it.name to slo("mean<5ms") }
    }

    @Test
    fun `every mistake in goals has its own place, also within quotes`() {
        problems(file(more = "goals: p99<300, p98<1s")) shouldContainExactly listOf(
            "11:8 the limit of p99: \"300\" has no unit",
            "11:17 there is no measure \"p98\"",
        )
        problems(file(first = ", goals: \"p99<1s, throughput<5/s\"")) shouldContainExactly listOf(
            "5:77 \"throughput<5/s\" is not a goal",
        )
        // Escapes and line breaks move what follows them.
        problems(file(more = "goals: \"p99<1s,\\x20p98<1s\"")) shouldContainExactly
            listOf("11:8 there is no measure \"p98\"")
        problems(file(more = "goals: [p99<1s]")) shouldContainExactly
            listOf("11:8 goals must be a single value, not a list")
        problems(file(more = "goals: {p99: 1s}")) shouldContainExactly
            listOf("11:8 goals must be a single value, not keys with values")
        problems(file(more = "goals:")) shouldContainExactly listOf("11:7 goals has no value")
    }

    @Test
    fun `goals without quotes within braces, and words of other tools, are answered with what to write`() {
        val cut = mistakes(file(first = ", goals: p99<300ms, errors<0.1%")).single()
        cut.problem shouldBe "unknown key \"errors<0.1%\" in a situation"
        cut.remedy shouldBe "Within braces, goals need quotes: goals: \"p99<300ms, errors<0.1%\"."
        for (word in listOf("slo", "slos", "thresholds")) {
            mistakes(file(more = "$word: p99<1s")).single().remedy shouldContain "Write goals: "
        }
    }
}
