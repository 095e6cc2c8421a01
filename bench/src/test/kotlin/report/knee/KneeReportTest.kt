package threadgauge.report.knee

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.judge.knee.judgeKnee
import threadgauge.judge.knee.judgeKnees
import threadgauge.judge.knee.kneeQuestion
import threadgauge.judge.knee.kneeRecordOf
import threadgauge.judge.knee.kneesRecordOf
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.report.shouldBeApproved
import threadgauge.wording.doubt.seen
import threadgauge.wording.knee.words

/**
 * The reports need no judge: what they show is made here by the real one, so that record, judgement and report fit
 * together.
 */
class KneeReportTest {
    private val rates = listOf(700.0, 1_050.0, 1_575.0, 2_360.0, 1_950.0, 2_080.0, 1_990.0, 2_020.0, 1_985.0, 2_015.0)
    private val record = kneeRecordOf(listOf(2_000.0), rates, kneeQuestion.copy(wantPerSecond = 10_000.0))

    private fun terminal(record: Record): String {
        val terminal = Terminal(ansiLevel = AnsiLevel.NONE, width = 80)
        val text = terminal.render(kneeReport(record, judgeKnees(record), "results/knee-a/report.html"))
        return text.lines().joinToString("\n") { it.trimEnd() } + "\n"
    }

    private fun jsonOf(record: Record) = Json.parseToJsonElement(kneeJson(record, judgeKnees(record))).jsonObject

    @Test
    fun `the terminal shows the approved text, within 80 columns`() {
        val text = terminal(record)
        text.lines().maxOf { it.length } shouldBeLessThanOrEqual 80
        shouldBeApproved(text, "knee.approved.txt")
    }

    @Test
    fun `an interrupted search says so`() {
        val interrupted = record.copy(state = RunState.INTERRUPTED, stateReason = "interrupted by the user")
        terminal(interrupted) shouldContain "Interrupted. The report shows"
    }

    @Test
    fun `the JSON document holds the knee, the sizing and every probe`() {
        val judgement = judgeKnee(record)
        val document = jsonOf(record).getValue("judgement").jsonObject
        document.getValue("knee").jsonObject.getValue("perSecond")
            .jsonPrimitive.double shouldBe judgement.knee!!.perSecond
        document.getValue("sizing").jsonObject.getValue("replicas").jsonPrimitive.content shouldBe "7"
        document.getValue("probes").jsonArray.size shouldBe 18
        document.getValue("probes").jsonArray.last().jsonObject.getValue("hlog")
            .jsonPrimitive.content shouldBe "latency/a-1-probe-18.hlog"
    }

    @Test
    fun `the JSON document has words beside the data`() {
        val judgement = judgeKnee(record)
        val document = jsonOf(record).getValue("judgement").jsonObject
        document.getValue("words").jsonPrimitive.content shouldBe judgement.words()
        fun wordsOf(part: String) = document.getValue(part).jsonObject.getValue("words").jsonPrimitive.content
        document.getValue("doubts").jsonArray.map { it.jsonObject.getValue("seen").jsonPrimitive.content } shouldBe
            judgement.doubts.map { it.seen }.also { it.shouldNotBeEmpty() }
        wordsOf("sizing") shouldContain "7 replicas of 1 core"
        wordsOf("scalability") shouldContain "Throughput peaks"
        document.getValue("probes").jsonArray.last().jsonObject.getValue("reasons") shouldBe Json.parseToJsonElement(
            """
            [{"type": "goal-broken", "measure": "P99", "micros": 400000.0, "maxMicros": 100000.0,
              "words": "p99 400 ms (limit 100 ms)"}]
            """,
        )
    }

    @Test
    fun `the HTML page names every probe and its histograms, and escapes what strangers wrote`() {
        val hostile =
            record.copy(plan = record.plan.copy(stacks = record.plan.stacks.map { it.copy(title = "</script><b>x") }))
        val page = kneeHtmlReport(hostile, judgeKnees(hostile))
        (9..18).forEach { page shouldContain "a-1-probe-%02d.hlog".format(it) }
        page shouldContain "For 10,000/s with 30\u00A0% headroom: 7 replicas of 1 core each"
        page shouldNotContain "<b>x"
        Regex("(src|href)=\"https?:").containsMatchIn(page) shouldBe false
    }

    @Test
    fun `a record without a probe has a report too`() {
        val empty = record.copy(trials = emptyList(), state = RunState.FAILED, stateReason = "it never started")
        terminal(empty) shouldContain "Cannot tell up to which rate"
        kneeHtmlReport(empty, judgeKnees(empty)) shouldContain "it never started"
    }

    private val several = kneesRecordOf(
        mapOf("a" to listOf(2_000.0), "b" to listOf(1_000.0), "c" to listOf(2_000.0)), rates.map { it / 2_000 },
    )

    @Test
    fun `of several targets the terminal shows who takes more, each answer and each table`() {
        val text = terminal(several)
        text.lines().maxOf { it.length } shouldBeLessThanOrEqual 80
        shouldBeApproved(text, "knees.approved.txt")
    }

    @Test
    fun `the page of several targets draws each, and no two elements share an id`() {
        val page = kneeHtmlReport(several, judgeKnees(several))
        val marked = page.replace(Regex("(?s)<script.*?</script>"), "")
        val ids = Regex(" id=\"([^\"]+)\"").findAll(marked).map { it.groupValues[1] }.toList()
        ids.groupBy { it }.filterValues { it.size > 1 }.keys.shouldBeEmpty()
        (0..2).forEach { page shouldContain "data-knee=\"latency\" data-target=\"$it\"" }
        page shouldContain "A takes 2.00 times the rate of B"
    }

    @Test
    fun `the JSON document of several targets holds each, and their ratios with words`() {
        val document = jsonOf(several)
        document.getValue("others").jsonArray.map { it.jsonObject.getValue("target").jsonPrimitive.content } shouldBe
            listOf("B", "C")
        val first = document.getValue("comparisons").jsonArray.first().jsonObject
        first.getValue("ratio").jsonPrimitive.double shouldBe judgeKnees(several).comparisons.first().ratio
        first.getValue("words").jsonPrimitive.content shouldContain "A takes 2.00 times the rate of B"
        document.getValue("processes").jsonArray.map {
            it.jsonObject.getValue("stack").jsonPrimitive.content
        } shouldBe listOf("a", "b", "c")
    }
}
