package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.model.doubt.CauseId
import threadgauge.model.doubt.CauseKind
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.Validity
import threadgauge.report.EXAMPLE_VARIANTS
import threadgauge.report.Example
import threadgauge.report.exampleGoals
import threadgauge.report.exampleWithClaims
import threadgauge.report.exampleWithGoals
import threadgauge.report.recordWithFailedTrials
import threadgauge.report.shouldBeApproved
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictBelowHeading

class TerminalReportTest {
    private val usual = EXAMPLE_VARIANTS.getValue("usual")()

    @Test
    fun `the usual report reads as approved`() {
        shouldBeApproved(usual.terminal(), "terminal-usual.approved.txt")
    }

    @Test
    fun `a report with failures reads as approved`() {
        shouldBeApproved(Example(recordWithFailedTrials()).terminal(), "terminal-failed-trials.approved.txt")
    }

    @Test
    fun `the path of the report stands in one line, however long it is`() {
        val path = "results/${"deep/".repeat(20)}report.html"
        val report = terminalReport(usual.record, usual.judgement, path)
        Terminal(ansiLevel = AnsiLevel.NONE, width = 80, interactive = false).render(report) shouldContain path
    }

    @Test
    fun `claims stand before the verdicts and read as approved`() {
        val text = exampleWithClaims().terminal().substringBefore("Requests that only wait")
        shouldBeApproved(text, "terminal-claims.approved.txt")
    }

    @Test
    fun `goals stand before the verdicts and read as approved`() {
        val text = exampleWithGoals().terminal().substringBefore("Requests that only wait")
        shouldBeApproved(text, "terminal-goals.approved.txt")
    }

    @Test
    fun `of many goals those that were kept are counted, and the others are printed`() {
        val example = exampleWithGoals()
        val kept = example.judgement.goals.first { it.verdict == GoalVerdict.KEPT }
        val text = Example(example.record, example.judgement.copy(goals = exampleGoals() + List(7) { kept })).terminal()
        text shouldContain "Goals: 9 kept, 3 broken, 5 cannot tell"
        text shouldContain "9 goals kept; the report shows the figures."
        text.lines().filter { it.startsWith("kept ") }.shouldBeEmpty()
        text.lines().count { it.startsWith("broken ") } shouldBe 3
    }

    @Test
    fun `no line is longer than 80 columns`() = EXAMPLE_VARIANTS.forEach { (name, variant) ->
        withClue(name) { variant().terminal().lines().filter { it.length > 80 }.shouldBeEmpty() }
    }

    @Test
    fun `every verdict stands above its own table, below what its requests do`() {
        val parts = usual.terminal().replace(Regex("\\s+"), " ").split("answers/s")
        usual.judgement.situations.zip(parts).forEach { (judged, above) ->
            val heading = above.indexOf("Requests that ${judged.situation.words} (")
            val verdict = above.indexOf(judged.verdictBelowHeading())
            withClue(above) { (heading in 0..<verdict) shouldBe true }
        }
    }

    @Test
    fun `more verdicts than fit a screen have an overview above them`() {
        val situations = usual.judgement.situations
        val answer = usual.judgement.answer[0].substringBefore(" (")
        usual.terminal() shouldNotContain answer
        Example(usual.record, usual.judgement.copy(situations = situations + situations.take(1))).terminal()
            .substringBefore("answers/s") shouldContain answer
    }

    @Test
    fun `a number that does not fit its column is told in thousands, and never cut`() {
        val judged = usual.judgement.situations.first()
        fun figure(value: Double) = Figure(value, values = emptyList())
        val cells = judged.cells.map {
            it.copy(cpuMicrosPerRequest = figure(2_234_567.0), p50Millis = figure(12_345_678.0))
        }
        val judgement = usual.judgement.copy(situations = listOf(judged.copy(cells = cells)))
        val row = Example(usual.record, judgement).terminal().lines().first { "12,346k" in it }
        row shouldContain Regex(" 12,346k .* 2,235k ")
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
        rows("aservicewithaverylongname").count { it.startsWith("aservicewithaverylo") } shouldBe 1
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
    fun `a cause of several doubts is said once, and its figures are marked`() {
        val text = usual.terminal()
        Regex("The load agent ran at 71 to 78 %").findAll(text).count() shouldBe 1
        text shouldContain Regex("\nspring-webflux! .*\nktor-netty! ")
        text shouldContain Regex("\nspring-mvc-virtual\\* ")
        text shouldContain "* marks doubtful figures; ! marks figures that are in no"
    }

    @Test
    fun `of many causes the worst four are printed, and the others are counted`() {
        val causes = CauseId.entries.take(6).map { id ->
            DoubtCause(
                id, Validity.SUSPECT, listOf(CauseKind(LoadDoubt.FewSamples(412, 1_000), null, null, emptyList())),
                emptyList(), hasIntervals = true, shiftsFigures = false,
            )
        }
        fun printed(judgement: Judgement) = Example(usual.record, judgement.withoutDoubts()).terminal().lines()
        val lines = printed(usual.judgement.copy(causes = causes))
        lines.count { it.startsWith("- ") } shouldBe 4
        lines.single { "more in the report" in it } shouldContain "… and 2 more in the report."
        printed(usual.judgement.copy(causes = causes.take(4))).filter { "more in the report" in it }.shouldBeEmpty()
        val notes = printed(usual.judgement.copy(causes = causes.map { it.copy(validity = Validity.VALID) }))
        notes.filter { it.startsWith("Doubts") || it.startsWith("- ") }.shouldBeEmpty()
        notes.count { it == "There are no doubts about these results." } shouldBe 1
    }

    private fun Judgement.withoutDoubts() = copy(
        situations = situations.map { judged ->
            judged.copy(cells = judged.cells.map { it.copy(doubts = emptyList()) })
        },
    )

    @Test
    fun `a stack without figures keeps its row`() {
        Example(recordWithFailedTrials()).terminal() shouldContain Regex("ktor-netty.*not measured")
    }
}
