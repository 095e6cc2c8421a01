package threadgauge.report

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.judge.advice.MadeUp
import threadgauge.judge.cause.ProfileOf
import threadgauge.judge.cause.Traces
import threadgauge.judge.judge
import threadgauge.model.profile.WaitCause
import threadgauge.report.ci.JudgedRun
import threadgauge.report.ci.runMarkdown
import threadgauge.report.json.jsonReport

/** Advice in each kind of report, and nothing of it in a run that does not ask for it. */
class AdviceInReportsTest {
    private val record = MadeUp().under(40, 79.0, fourThreads()).record()
    private val example = Example(record, judge(record))
    private val usual = EXAMPLE_VARIANTS.getValue("usual")()

    @Test
    fun `a terminal says what holds the service, and what each change comes to`() {
        val text = example.terminal()
        text.lines().filter { it.length > 80 }.shouldBeEmpty()
        val words = text.replace(Regex("\\s+"), " ")
        words shouldContain "The lowest limit that is known: 4 request threads"
        words shouldContain "+ More threads of Tomcat, 4 → 8 (server.tomcat.threads.max=8): "
        words shouldContain "; then 8 request threads hold it."
        usual.terminal() shouldNotContain "request threads"
    }

    @Test
    fun `without a profile every report says that there is no advice`() {
        val none = record.copy(trials = record.trials.map { it.copy(profiles = emptyList()) })
        Example(none, judge(none)).terminal().replace(Regex("\\s+"), " ") shouldContain "There is no advice"
        Example(none, judge(none)).html() shouldContain "There is no advice"
    }

    @Test
    fun `HTML has limits and changes, and links to documentation only where they lead to the web`() {
        val elements = parse(example.html()).elements()
        val tables = elements.filter { it.tagName == "table" }.map { it.textContent }
        tables.any { "server.tomcat.threads.max=8" in it } shouldBe true
        val links = elements.filter { it.tagName == "a" }.map { it.attribute("href").orEmpty() }
        links.map { it.substringBefore("://") } shouldContain "https"
        val asked = record.plan.advice!!
        val changes = asked.changes.map { it.copy(title = "<script>", source = "javascript:x") }
        val hostile = record.copy(plan = record.plan.copy(advice = asked.copy(changes = changes)))
        val html = Example(hostile, judge(hostile)).html()
        html shouldNotContain "javascript:x"
        html shouldContain "&lt;script&gt;"
        usual.html() shouldNotContain "id=\"advice\""
    }

    @Test
    fun `JSON has the data with sentences, and Markdown a table`() {
        val advice = Json.parseToJsonElement(jsonReport(record, example.judgement)).jsonObject
            .getValue("judgement").jsonObject.getValue("advice").jsonArray.single().jsonObject
        val change = advice.getValue("changes").jsonArray.first().jsonObject
        change.getValue("how").jsonPrimitive.content shouldBe "spring.threads.virtual.enabled=true"
        change.getValue("words").jsonPrimitive.content shouldContain "times as much"
        val markdown = runMarkdown(listOf(JudgedRun(record, example.judgement, "report.html")))
        markdown shouldContain "| More threads of Tomcat, 4 → 8 | server.tomcat.threads.max=8 |"
        val other = runMarkdown(listOf(JudgedRun(usual.record, usual.judgement, "report.html")))
        other shouldNotContain "**Advice"
    }

    private fun fourThreads() = ProfileOf(79.0, 506.0).group("http-nio-#-exec-#", 4, cpu = 0.02)
        .waits(WaitCause.SOCKET_READ, "http-nio-#-exec-#", 3.96, Traces.calling("tomcat"), on = "127.0.0.1:9001")
}
