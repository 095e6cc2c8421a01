package threadgauge.report.html.section

import io.kotest.matchers.collections.shouldContainInOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.model.Think
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.ScenarioJudgement
import threadgauge.model.judgement.StepJudgement
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Step
import threadgauge.report.Example
import threadgauge.report.ci.JudgedRun
import threadgauge.report.ci.runMarkdown
import threadgauge.report.exampleJudgement
import threadgauge.report.exampleRecord
import threadgauge.report.format.ReportContext

/** Reports of a run whose first situation has scenarios. */
class ScenariosSectionTest {
    private val page = Request("GET", "/products?page={1..20}")
    private val browse = Scenario("browse", 3.0, listOf(Step("page", page, think = Think(1_000_000_000))))
    private val buy = Scenario("buy", 1.0, listOf(Step("POST /carts", Request("POST", "/carts"))))
    private val example = exampleRecord(stacks = 2).let { record ->
        val judgement = exampleJudgement(record)
        val first = judgement.situations.first()
        val situation = first.situation.copy(request = page, scenarios = listOf(browse, buy))
        val cells = first.cells.map { it.copy(scenarios = listOf(met("browse", "page"), met("buy", "POST /carts"))) }
        Example(record, judgement.copy(situations = listOf(first.copy(situation = situation, cells = cells))))
    }
    private val context = ReportContext(example.record, example.judgement)
    private val stacks = example.judgement.situations.single().cells

    @Test
    fun `a situation says which scenarios it has and what their steps are, not its first request`() {
        val html = example.html()
        html.substringAfter("class=\"asked\">").substringBefore("</p>") shouldContain "browse 75"
        html shouldContain "  page: GET /products?page={1..20}, thinking for 1 s"
        html shouldContain "  POST /carts"
        html.substringAfter("class=\"asked\">").substringBefore("</p>") shouldNotContain "GET"
    }

    @Test
    fun `servers stand side by side in each step, and every number has its label on narrow screens`() {
        val table = example.html().substringAfter("aria-label=\"Steps of browse\"").substringBefore("</table>")
        val rows = Regex("stack-title\">.*?(page|whole pass)</span><span class=\"stack-note\">(.*?)</span>")
            .findAll(table).map { it.groupValues.drop(1) }.toList()
        val titles = stacks.map { context.title(it.stack) }
        rows shouldBe listOf("page", "whole pass").flatMap { step -> titles.map { listOf(step, it) } }
        Regex("<td class=\"number\"").findAll(table).count() shouldBe rows.size * 5
        Regex("data-label=").findAll(table).count() shouldBe rows.size * 5
        table shouldContain "12,345 passes: 11,234 completed, 1,000 failed, 111 cut off by the end of the load."
    }

    @Test
    fun `the terminal has a table of steps`() {
        val (first, second) = stacks.map { it.stack }
        example.terminal().lines().map { it.trim().replace(Regex(" +"), " ") } shouldContainInOrder listOf(
            "browse correct failed p50 ms p95 ms",
            "page $first 12,000 345 1.50 4.50",
            "$second 12,000 345 1.50 4.50",
            "whole pass $first 11,234 1,000 250 –",
        )
    }

    @Test
    fun `a summary for a pull request has the steps, folded`() {
        val text = runMarkdown(listOf(JudgedRun(example.record, example.judgement, "report.html")))
        val (first, second) = stacks.map { it.stack }
        text.lines() shouldContainInOrder listOf(
            "<details><summary>Steps of browse, buy</summary>",
            "| browse.page | $first | 12,000 | 345 | 1.50 | 4.50 |",
            "| browse.page | $second | 12,000 | 345 | 1.50 | 4.50 |",
            "| browse, whole pass | $first | 11,234 | 1,000 | 250 | – |",
        )
    }

    private fun met(name: String, step: String) = ScenarioJudgement(
        name, 12_345, 11_234, 1_000, 111, Figure(250.0, null, null, listOf(250.0)), null,
        listOf(StepJudgement(step, 12_000, 345, figure(1.5), figure(4.5), figure(9.0))),
    )

    private fun figure(value: Double) = Figure(value, null, null, listOf(value))
}
