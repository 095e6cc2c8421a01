package threadgauge.report

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.report.ci.JudgedRun
import threadgauge.report.ci.runMarkdown
import threadgauge.report.json.jsonReport
import threadgauge.report.terminal.terminalReport

/** Causes in each kind of report, and nothing of them without a profile. */
class CausesInReportsTest {
    private val example = exampleWithCauses()
    private val usual = EXAMPLE_VARIANTS.getValue("usual")()

    @Test
    fun `a terminal shows a line for the first and the last stack of each situation, and still fits a screen`() {
        val text = example.terminal()
        shouldBeApproved(text.substringAfter("Requests that only wait").substringBefore("Requests that block"), NAME)
        text.lines().filter { it.length > 80 }.shouldBeEmpty()
        val wide = Terminal(ansiLevel = AnsiLevel.NONE, width = 110, interactive = false)
            .render(terminalReport(example.record, example.judgement, "results/example/report.html"))
        wide.lines().size shouldBeLessThanOrEqual 60
        usual.terminal() shouldNotContain "because"
    }

    @Test
    fun `HTML has the reasons below the verdict, a bar for each stack, and all of it in tables`() {
        val html = example.html()
        val elements = parse(html).elements()
        elements.count { it.attribute("class") == "because" } shouldBe 2 * example.judgement.situations.size
        elements.filter { it.tagName == "ol" }.map { it.attribute("class") } shouldContain "plot time-plot"
        val tables = elements.filter { it.tagName == "table" && it.attribute("class") == "parts" }
            .map { it.textContent }
        tables.first() shouldContain "waiting for a thread"
        tables.first() shouldContain "Waits.kt:10, called from Endpoints.kt:31"
        tables[1] shouldContain "request threads"
        val text = parse(html).documentElement.textContent
        text shouldContain "Profiled in a load of its own after all measurements of trial 1"
        text shouldContain "pools (no bean <answers>)"
        val bar = elements.first { it.attribute("class") == "time time-thread" }
        bar.attribute("width") shouldBe "89.87%"
        usual.html() shouldNotContain "Where the latency goes"
    }

    @Test
    fun `JSON has the data with words beside them, and null without a profile`() {
        fun cells(of: Example) = Json.parseToJsonElement(jsonReport(of.record, of.judgement)).jsonObject
            .getValue("judgement").jsonObject.getValue("situations").jsonArray[0].jsonObject.getValue("cells").jsonArray
            .map { it.jsonObject }
        val because = cells(example).first().getValue("because").jsonObject
        because.getValue("words").jsonPrimitive.content shouldContain "its 200 request threads are all busy"
        because.getValue("note").jsonPrimitive.content shouldContain "2.1 % of the throughput"
        because.getValue("holder").jsonObject.getValue("type").jsonPrimitive.content shouldBe "request-threads"
        because.getValue("split").jsonArray[0].jsonObject.getValue("words").jsonPrimitive.content shouldBe
            "waiting for a thread"
        cells(usual).first()["because"] shouldBe JsonNull
    }

    @Test
    fun `Markdown has a line for each stack`() {
        val text = runMarkdown(listOf(JudgedRun(example.record, example.judgement, "report.html")))
        text.lines().count { it.startsWith("- ") && "because " in it } shouldBe 9
        text shouldContain "Waits.kt:10"
    }

    private companion object {
        const val NAME = "terminal-causes.approved.txt"
    }
}
