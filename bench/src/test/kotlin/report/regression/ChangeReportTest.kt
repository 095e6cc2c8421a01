package threadgauge.report.regression

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import javax.xml.parsers.DocumentBuilderFactory
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import org.w3c.dom.Document
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.RegressionDoubt
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.ComparedPart
import threadgauge.model.judgement.compare.ComparisonSide
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.Mismatch
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.doubt.source
import threadgauge.wording.regression.words

class ChangeReportTest {
    private val worse = Change(
        "shop", "hello", Compared.THROUGHPUT, true, 10_000.0, 9_090.9, 0.90909, 0.897, 0.921, ChangeOutcome.WORSE,
        Validity.VALID,
    )
    private val unsure = Change(
        "shop", "hello", Compared.CPU, true, 50.0, 51.0, 1.02, 0.9, 1.16, ChangeOutcome.CANNOT_TELL, Validity.SUSPECT,
        listOf("not-steady"), 14,
    )
    private val memory = worse.copy(
        of = Compared.MEMORY, gated = false, base = 300.0, new = 280.0, ratio = 0.93, outcome = ChangeOutcome.BETTER,
    )
    private val comparison = RecordComparison(
        listOf("main-1"), listOf("branch-1"), 0.03, GateResult.FAILED, listOf(worse, unsure, memory),
        listOf(Mismatch.Missing(ComparedPart.SITUATION, "delay", ComparisonSide.NEW)),
        listOf(Doubt(RegressionDoubt.OtherKernel(listOf("6.1"), listOf("6.2")), Validity.SUSPECT)),
    )

    @Test
    fun `the terminal shows the answer first and every figure, within 80 columns`() {
        val text = Terminal(ansiLevel = AnsiLevel.NONE, width = 80).render(changeReport(comparison)).lines()
            .map { it.trimEnd() }
        text.filter { it.length > 80 }.shouldBeEmpty()
        text[0] shouldBe "Is branch-1 worse than main-1?"
        text[2] shouldBe "Worse than the base: throughput of shop in hello is 0.909 times the base's"
        val figures = listOf("* answers/s", "10,000", "9,091", "0.909 (0.897–0.921)")
        text.any { line -> figures.all { it in line } } shouldBe true
        text.single { it.startsWith("* CPU/request") } shouldContain "? cannot tell"
        text.single { it.startsWith("!    suspect: not-steady") } shouldBe "!    suspect: not-steady"
        text.joinToString("\n") shouldContain "Not compared: delay"
    }

    @Test
    fun `Markdown shows gated figures in a table, folds the others, and lets no name become markup`() {
        val hostile = worse.copy(stack = "a|b`<script>*")
        val text = changeMarkdown(comparison.copy(changes = listOf(hostile, memory)))
        text shouldContain "### ❌ Worse than the base"
        text shouldContain
            """| hello | a\|b\`\<script\>\* | **answers/s** | 10,000 | 9,091 | 0.909 (0.897–0.921) | **worse** |"""
        text shouldContain "<details><summary>1 further figure</summary>"
        text shouldNotContain "<script>"
    }

    @Test
    fun `JUnit XML counts failures and skips, and holds hostile names`() {
        val hostile = worse.copy(situation = "a<b>&\"\u0001", stack = "x\u0000y")
        val xml = parse(changeJUnit(comparison.copy(changes = listOf(worse, unsure, memory, hostile))))
        val suites = xml.getElementsByTagName("testsuite")
        suites.length shouldBe 3
        val first = suites.item(0).attributes
        first.getNamedItem("tests").nodeValue shouldBe "2"
        first.getNamedItem("failures").nodeValue shouldBe "1"
        first.getNamedItem("skipped").nodeValue shouldBe "1"
        xml.getElementsByTagName("failure").length shouldBe 2
        xml.getElementsByTagName("failure").item(0).attributes.getNamedItem("message").nodeValue shouldContain "0.909"
        suites.item(1).attributes.getNamedItem("name").nodeValue shouldBe "a<b>&\""
    }

    @Test
    fun `the JSON document has words beside the data`() {
        val document = Json.parseToJsonElement(changeJson(comparison)).jsonObject
        document.getValue("words").jsonPrimitive.content shouldBe comparison.words()
        val doubt = document.getValue("doubts").jsonArray.single().jsonObject
        listOf("seen", "remedy", "source").map { doubt.getValue(it).jsonPrimitive.content } shouldBe
            comparison.doubts.single().let { listOf(it.seen, it.remedy, it.source) }
        document.getValue("notCompared") shouldBe Json.parseToJsonElement(
            """
            [{"type": "missing", "what": "situation", "name": "delay", "side": "new",
              "words": "delay: not in the new record"}]
            """,
        )
    }

    private fun parse(text: String): Document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(text.byteInputStream())
}
