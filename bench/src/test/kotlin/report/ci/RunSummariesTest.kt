package threadgauge.report.ci

import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.io.path.readText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.w3c.dom.Document
import org.w3c.dom.Element
import threadgauge.cli.command.publish.Summaries
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.gate
import threadgauge.report.EXAMPLE_VARIANTS
import threadgauge.report.shouldBeApproved

/** What a build server and a pull request show of a run. */
class RunSummariesTest {
    private val runs = EXAMPLE_VARIANTS.mapValues { (_, example) ->
        example().let { JudgedRun(it.record, it.judgement, "results/example/report.html") }
    }

    @Test
    fun `JUnit XML of every example counts its cases, and has one for each stack, goal and claim`() {
        for ((name, run) in runs) withClue(name) {
            val xml = parse(runJUnit(listOf(run)))
            val cells = run.judgement.situations.flatMap { it.cells }
            val situations = run.judgement.situations.map { it.situation.name }
            val goals = run.judgement.goals.filter { it.situation in situations }
            val cases = xml.all("testcase")
            cases.size shouldBe cells.size + goals.size + run.judgement.claims.size
            val counted = mapOf("failures" to "failure", "errors" to "error", "skipped" to "skipped")
            for (suite in xml.all("testsuite")) {
                suite.getAttribute("tests").toInt() shouldBe suite.all("testcase").size
                counted.forEach { (attribute, element) ->
                    suite.getAttribute(attribute).toInt() shouldBe suite.all(element).size
                }
            }
            xml.all("error").size shouldBe cells.count { it.trials == 0 }
        }
    }

    @Test
    fun `what fails a build is a failure, and what cannot be told is skipped with its reason`() {
        val run = runs.getValue("goals")
        val xml = parse(runJUnit(listOf(run)))
        xml.all("failure").size shouldBe run.judgement.goals.count { it.verdict == GoalVerdict.BROKEN }
        xml.all("skipped").size shouldBe run.judgement.goals.count { it.verdict == GoalVerdict.CANNOT_TELL }
        val first = xml.all("failure").first().getAttribute("message")
        first shouldContain "spring-webflux in wait, goal p99<300ms: broken"
        for ((name, other) in runs) withClue(name) {
            val failures = parse(runJUnit(listOf(other))).all("failure").size
            (failures > 0) shouldBe (other.judgement.gate == GateResult.FAILED && name != "hostile")
        }
    }

    @Test
    fun `the Markdown of a run with goals, with claims, and with stacks that failed`() {
        shouldBeApproved(
            runMarkdown(listOf("goals", "claims", "failed-trials").map { runs.getValue(it) }), "summary.approved.md",
        )
    }

    @Test
    fun `Markdown has rows as wide as their heads, and no name becomes markup`() {
        for ((name, run) in runs) withClue(name) {
            val text = runMarkdown(listOf(run))
            MARKUP.find(text)?.value.shouldBeNull()
            var columns = 0
            text.lines().forEach { line ->
                val bars = CELL_BORDER.findAll(line).count()
                if (line.startsWith("|")) {
                    if (columns > 0) bars shouldBe columns
                    columns = bars
                } else {
                    columns = 0
                }
            }
        }
    }

    @Test
    fun `summaries of several runs are whole after each of them`(@TempDir folder: Path) {
        val (markdown, junit) = folder.resolve("summary.md") to folder.resolve("runs.xml")
        val summaries = Summaries(markdown, junit)
        runs.values.take(2).forEachIndexed { index, run ->
            summaries.add(run)
            parse(junit.readText()).all("testsuite").map { it.getAttribute("name") }
                .count { "hello" in it } shouldBe index + 1
            Regex("(?m)^### ").findAll(markdown.readText()).count() shouldBe index + 1
        }
    }

    private fun parse(text: String): Document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(text.byteInputStream())

    private fun Document.all(name: String) = documentElement.all(name)

    private fun Element.all(name: String): List<Element> =
        getElementsByTagName(name).let { found -> (0 until found.length).map { found.item(it) as Element } }

    private companion object {
        /** The start of an element, without a backslash before it, but for those that the summary is made with. */
        val MARKUP = Regex("(?<!\\\\)</?(?!br>|details>|/?summary>)[a-z]")

        /** A bar that is not escaped. */
        val CELL_BORDER = Regex("(?<!\\\\)\\|")
    }
}
