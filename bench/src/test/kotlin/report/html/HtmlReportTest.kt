package threadgauge.report.html

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import threadgauge.report.EXAMPLE_VARIANTS
import threadgauge.report.Example
import threadgauge.report.attribute
import threadgauge.report.descendants
import threadgauge.report.elements
import threadgauge.report.exampleRecord
import threadgauge.report.exampleWithClaims
import threadgauge.report.exampleWithGoals
import threadgauge.report.format.sureness
import threadgauge.report.format.unbroken
import threadgauge.report.format.valueText
import threadgauge.report.hostileJudgement
import threadgauge.report.hostileRecord
import threadgauge.report.html.section.words
import threadgauge.report.interruptedRecord
import threadgauge.report.parse
import threadgauge.report.recordWithFailedTrials
import threadgauge.report.regression.title
import threadgauge.wording.claim.words
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords
import threadgauge.wording.words

/** The report as a document. What a browser makes of it is in [ReportInBrowserTest]. */
class HtmlReportTest {
    private val usual = EXAMPLE_VARIANTS.getValue("usual")()
    private val judgement = usual.judgement
    private val html = usual.html()
    private val document = parse(html)

    @Test
    fun `every variant is well-formed`() = forEachVariant { name, _, html ->
        withClue(name) { parse(html).documentElement.tagName shouldBe "html" }
    }

    @Test
    fun `ids are unique and every link on the page has a target`() = forEachVariant { name, _, html ->
        val elements = parse(html).elements()
        val ids = elements.mapNotNull { it.attribute("id") }
        withClue(name) {
            ids.groupingBy { it }.eachCount().filterValues { it > 1 }.keys.shouldBeEmpty()
            val targets = elements.mapNotNull { it.attribute("href") }.filter { it.startsWith("#") }.map { it.drop(1) }
            targets.shouldNotBeEmpty()
            ids shouldContainAll targets
        }
    }

    @Test
    fun `headings start with one h1 and never skip a level`() = forEachVariant { name, _, html ->
        val levels =
            parse(html).elements().filter { it.tagName.matches(Regex("h[1-6]")) }.map { it.tagName.drop(1).toInt() }
        withClue("$name: $levels") {
            levels.count { it == 1 } shouldBe 1
            levels.first() shouldBe 1
            levels.zipWithNext().filter { (before, after) -> after > before + 1 }.shouldBeEmpty()
        }
    }

    @Test
    fun `nothing is loaded from outside the file`() {
        val names = listOf("src", "srcset", "href", "data", "poster", "action")
        val loading = document.elements().flatMap { element -> names.mapNotNull { element.attribute(it) } }
        loading.filterNot { it.startsWith("#") || it == "data:," }.shouldBeEmpty()
        val style = document.elements().first { it.tagName == "style" }.textContent
        style shouldNotContain "@import"
        style shouldNotContain "url("
        html shouldNotContain "sourceMappingURL"
        html shouldContain "default-src 'none'"
    }

    @Test
    fun `the answer comes first, then one verdict for each situation`() {
        val main = document.elements().first { it.tagName == "main" }.textContent
        val places =
            (judgement.answer + judgement.situations.map { it.verdictWords() }).map { main.indexOf(unbroken(it)) }
        withClue(places) {
            places.filter { it < 0 }.shouldBeEmpty()
            places shouldBe places.sorted()
            (places.last() < main.indexOf("How to read this report")) shouldBe true
        }
    }

    @Test
    fun `goals stand on the first screen, each with its figure, its verdict and a link to its situation`() {
        val example = exampleWithGoals()
        val elements = parse(example.html()).elements()
        elements.count { it.attribute("href") == "#goals" } shouldBe 1
        val heading = elements.indexOfFirst { it.attribute("id") == "goals" }
        val table = elements.drop(heading).first { it.tagName == "table" }
        val rows = table.descendants("tr").drop(1)
        rows.size shouldBe example.judgement.goals.size
        for (words in listOf("Spring MVC", "wait", "p99<300ms", "210 ms", "198 ms to 224 ms", "kept")) {
            rows[0].textContent shouldContain unbroken(words)
        }
        rows[5].textContent shouldContain "broken, indicative"
        rows.map { row -> row.descendants("a").single().attribute("href") }.distinct() shouldBe
            listOf("#situation-1", "#situation-2", "#situation-3")
    }

    @Test
    fun `claims come first, each with its verdict, reason, published figure, figure found, ceiling and evidence`() {
        val example = exampleWithClaims()
        val document = parse(example.html())
        val main = document.elements().first { it.tagName == "main" }.textContent
        (main.indexOf("Claims") in 0..<main.indexOf(
            unbroken(example.judgement.answer[0]),
        )) shouldBe true
        val claims = document.elements().filter { it.attribute("class") == "claim" }
        claims.size shouldBe example.judgement.claims.size
        for ((claim, judged) in claims.zip(example.judgement.claims)) withClue(judged.verdict) {
            val text = claim.textContent
            val words = listOf(judged.verdict.words, judged.words(), judged.claim.says, judged.claim.why!!)
            words.forEach { text shouldContain shown(it) }
            judged.checks.forEach { text shouldContain shown(it.words()) }
        }
        val figures = claims[2].descendants("tr").drop(1).map { it.textContent }
        for (word in listOf(
            "Tested fairly", "Spring WebFlux", "wait", "2,710/s", "4,310/s", "4,200/s to 4,400/s", "suspect",
        )) {
            figures[0] shouldContain word
        }
        figures[1] shouldContain "150/s to 192.6/s"
        claims.map { claim -> claim.descendants("rect").count { it.attribute("class") == "holds" } } shouldBe
            example.judgement.claims.map { judged -> judged.checks.count { it.ratio != null } }
        claims[2].descendants("a").map { it.attribute("href") } shouldContainAll listOf("#situation-1", "#situation-2")
    }

    @Test
    fun `every stack, doubt with its remedy, ceiling and log is there`() = forEachVariant { name, example, html ->
        val record = example.record
        val judgement = example.judgement
        val text = parse(html).documentElement.textContent
        fun String.isThere() = withClue("$name: $this") { text shouldContain this }
        record.plan.stacks.forEach { it.title.isThere() }
        val cells = judgement.situations.flatMap { it.cells }
        (judgement.doubts + cells.flatMap { it.doubts })
            .forEach { shown(it.seen).isThere(); shown(it.remedy).isThere() }
        cells.flatMap { it.ceilings }.forEach { unbroken(it.words + " =").isThere() }
        record.trials.forEach { it.log.isThere() }
        record.trials.flatMap { it.contractViolations }.forEach { it.isThere() }
    }

    @Test
    fun `figures stand with their interval`() {
        val throughput = judgement.situations[0].cells[0].throughput!!
        val row = document.elements().first { it.attribute("class") == "figures" }.descendants("tr")[1].textContent
        row shouldContain throughput.valueText() + throughput.sureness()
        row shouldContain "–"
    }

    @Test
    fun `a single trial is called indicative and its figures say n of 1`() {
        val text = parse(Example(exampleRecord(trials = 1)).html()).documentElement.textContent
        text shouldContain "Indicative: 1 fresh process per stack"
        text shouldContain "n of 1"
    }

    @Test
    fun `an interrupted run says so before its answer`() {
        val interrupted = Example(interruptedRecord())
        val text = parse(interrupted.html()).documentElement.textContent
        val notice =
            text.indexOf("Interrupted. The report shows the trials before that; the others are missing. Ctrl-C was")
        (notice in 0..<text.indexOf(unbroken(interrupted.judgement.answer[0]))) shouldBe true
        text shouldContain "The run ended early."
    }

    @Test
    fun `failures of the same kind are told once with all their logs`() {
        val text = parse(Example(recordWithFailedTrials()).html()).documentElement.textContent
        text shouldContain "Ktor on Netty, trials 1, 2, 3, 4, 5: It does other work than the contract asks for."
        text shouldContain "Spring WebFlux, trial 2: The process ended with exit code 137 before its port was open."
    }

    @Test
    fun `a name cannot end the script that carries the data`() {
        val hostile = Example(hostileRecord(), hostileJudgement()).html()
        hostile shouldNotContain "<script>window.broken"
        hostile shouldNotContain "<img"
        val json = hostile.substringAfter("id=\"chart-data\">").substringBefore("</script>")
        Json.parseToJsonElement(json).jsonObject["stacks"].toString() shouldContain "</script><script>"
    }

    @Test
    fun `every table has a caption and every heading cell a scope`() {
        document.elements().filter { it.tagName == "table" }.forEach { it.descendants("caption").size shouldBe 1 }
        document.elements().filter { it.tagName == "th" && it.attribute("scope") == null }.shouldBeEmpty()
    }

    @Test
    fun `every chart has its course in words`() {
        val charts = document.elements().filter { it.tagName == "canvas" }
        charts.shouldNotBeEmpty()
        charts.filterNot { it.attribute("role") == "img" }.shouldBeEmpty()
        charts.filterNot { "Spring MVC: " in it.attribute("aria-label")!! }.shouldBeEmpty()
    }

    /** Sentences as they are read: what stands between backticks is code. */
    private fun shown(words: String) = unbroken(words).replace("`", "")

    private fun forEachVariant(check: (String, Example, String) -> Unit) = EXAMPLE_VARIANTS.forEach { (name, variant) ->
        val example = variant()
        check(name, example, example.html())
    }
}
