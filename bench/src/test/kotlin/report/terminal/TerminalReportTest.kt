package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.AnsiLevel
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.Figure
import threadgauge.report.EXAMPLE_VARIANTS
import threadgauge.report.Example
import threadgauge.report.exampleJudgement
import threadgauge.report.exampleRecord
import threadgauge.report.exampleWithClaims
import threadgauge.report.recordWithFailedTrials
import threadgauge.report.shouldBeApproved
import threadgauge.wording.verdict.answer

class TerminalReportTest {
    private val usual = Example(exampleRecord())

    @Test
    fun `the usual report reads as approved`() {
        shouldBeApproved(usual.terminal(), "terminal-usual.approved.txt")
    }

    @Test
    fun `a report with failures reads as approved`() {
        shouldBeApproved(Example(recordWithFailedTrials()).terminal(), "terminal-failed-trials.approved.txt")
    }

    @Test
    fun `claims stand before the answer and read as approved`() {
        val text = exampleWithClaims().terminal().substringBefore(exampleJudgement().answer[0].take(20))
        shouldBeApproved(text, "terminal-claims.approved.txt")
    }

    @Test
    fun `no line is longer than 80 columns`() = EXAMPLE_VARIANTS.forEach { (name, variant) ->
        withClue(name) { variant().terminal().lines().filter { it.length > 80 }.shouldBeEmpty() }
    }

    @Test
    fun `the answer stands before every figure`() {
        val text = usual.terminal().replace(Regex("\\s+"), " ")
        val answer = text.indexOf(usual.judgement.answer[0])
        (answer in 0..<text.indexOf("answered/s")) shouldBe true
    }

    @Test
    fun `a number that does not fit its column is told in thousands, and never cut`() {
        val judged = usual.judgement.situations.first()
        fun figure(value: Double) = Figure(value, values = emptyList())
        val cells = judged.cells.map { it.copy(cpuMicrosPerRequest = figure(22_000.0), p50Millis = figure(123_456.0)) }
        val judgement = usual.judgement.copy(situations = listOf(judged.copy(cells = cells)))
        val row = Example(usual.record, judgement).terminal().lines().first { "123k" in it }
        row shouldContain Regex(" 123k .* 22k ")
    }

    @Test
    fun `a long name goes on after a hyphen, and one without any is cut`() {
        val judged = usual.judgement.situations.first()
        fun rows(name: String): List<String> {
            val cells = judged.cells.take(1).map { it.copy(stack = name, doubts = emptyList()) }
            val judgement = usual.judgement.copy(situations = listOf(judged.copy(cells = cells)))
            return Example(usual.record, judgement).terminal().lines()
        }
        val hyphened = rows("spring-webflux-coroutine-more+two")
        listOf("spring-webflux- ", "coroutine-more+two")
            .forEach { part -> hyphened.count { it.startsWith(part) } shouldBe 1 }
        rows("aservicewithaverylongname").count { it.startsWith("aservicewithaverylon") } shouldBe 1
        rows("spring-mvc-coroutine").count { it.startsWith("spring-mvc-coroutine ") } shouldBe 1
    }

    @Test
    fun `without colour it says the same as with it`() {
        val coloured = usual.terminal(AnsiLevel.TRUECOLOR)
        coloured shouldContain "\u001B["
        coloured.replace(Regex("\u001B\\[[0-9;]*m"), "").lines()
            .joinToString("\n") { it.trimEnd() } shouldBe usual.terminal()
        usual.terminal() shouldNotContain "\u001B"
    }

    @Test
    fun `a doubt of several stacks is said once and marked at each`() {
        val text = usual.terminal()
        Regex("the load agent ran at 78 %").findAll(text).count() shouldBe 1
        text shouldContain "spring-webflux, ktor-netty: invalid:"
    }

    @Test
    fun `a stack without figures keeps its row`() {
        Example(recordWithFailedTrials()).terminal() shouldContain Regex("ktor-netty.*not measured")
    }
}
