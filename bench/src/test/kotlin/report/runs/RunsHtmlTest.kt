package threadgauge.report.runs

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.judge.history.summaryOf
import threadgauge.judge.judge
import threadgauge.judge.progress.progressOf
import threadgauge.judge.regression.compareRecords
import threadgauge.model.RunState
import threadgauge.model.failure.Failure
import threadgauge.model.failure.RecordFault
import threadgauge.report.HOSTILE
import threadgauge.report.attribute
import threadgauge.report.elements
import threadgauge.report.exampleRecord
import threadgauge.report.hostileRecord
import threadgauge.report.parse
import threadgauge.report.regression.ComparedRun
import threadgauge.report.regression.changeHtml

class RunsHtmlTest {
    private val record = exampleRecord()
    private val summary = summaryOf(record, judge(record))
    private val runs = listOf(
        ListedRun("example-1", RunStatus.COMPLETE, summary.startedAt, summary),
        ListedRun("running", RunStatus.UNDER_WAY, summary.startedAt, summary.copy(state = RunState.RUNNING)),
        ListedRun("knee", RunStatus.COMPLETE, summary.startedAt, summary.copy(isKnee = true, situations = emptyList())),
        ListedRun(
            "broken", RunStatus.UNREADABLE, summary.startedAt,
            fault = Failure.Record(RecordFault.Broken("broken/record.json", "no JSON")),
        ),
        ListedRun("unread", RunStatus.UNREAD, summary.startedAt),
    )
    private val page = RunsPage("results", RunsAsked("a & b", RunStatus.COMPLETE, 2), runs, 120, 130, 1, 3)

    @Test
    fun `every kind of run is listed with what is known of it, and links lead to what there is`() {
        val html = runsHtml(page)
        listOf(
            "120 of 130 runs, the newest first. 1 record is still being read.", "broken/record.json is not a record",
            "under way", "not read yet", "Page 2 of 3", "Knee of spring-mvc",
        ).forEach { html shouldContain it }
        val links = parse(html).elements().mapNotNull { it.attribute("href") }.filter { it.startsWith("/runs/") }
        links.toSet() shouldBe
            setOf("/runs/example-1/report", "/runs/running/live", "/runs/knee/report", "/runs/unread/report")
        html shouldContain "href=\"/?q=a%20%26%20b&amp;state=complete&amp;page=3\""
        parse(html).elements().filter { it.attribute("name") == "run" && it.attribute("disabled") == null }
            .map { it.attribute("value") } shouldContainExactly listOf("example-1", "running")
    }

    @Test
    fun `the history of a run that was saved under a name is that of the name`() {
        val (saved, other) = listOf("main", null).map { name ->
            ListedRun("a", RunStatus.COMPLETE, summary.startedAt, summary.copy(savedAs = name))
        }
        runsHtml(RunsPage("results", RunsAsked(), listOf(saved), 1, 1, 1, 1)) shouldContain "?saved-as=main\""
        runsHtml(RunsPage("results", RunsAsked(), listOf(other), 1, 1, 1, 1)) shouldNotContain "saved-as"
    }

    @Test
    fun `a run before its first trial says in its list, not in the box of faults, that the agent is measured`() {
        val running = progressOf(record.copy(state = RunState.RUNNING, trials = emptyList()))
        val document = liveDocument(running, "1", isWritten = true)
        document.now shouldContainExactly listOf("measuring the load agent first, which takes seconds")
        document.notice.shouldBeNull()
        liveDocument(running, "1", isWritten = false).now.shouldBeEmpty()
    }

    @Test
    fun `figures of a list are those of the first situation, without a verdict`() {
        val html = runsHtml(page)
        html shouldContain summary.situations.first().name
        html shouldNotContain "Highest"
    }

    @Test
    fun `nothing is embedded and nothing comes from elsewhere, so that a strict policy suffices`() {
        for (html in pages()) {
            val elements = parse(html).elements()
            elements.filter { it.tagName == "style" }.shouldBeEmpty()
            elements.filter { it.hasAttribute("style") || it.hasAttribute("onclick") }.shouldBeEmpty()
            elements.flatMap { listOfNotNull(it.attribute("src"), it.attribute("href")) }
                .filterNot { it.startsWith("/") && !it.startsWith("//") || it.startsWith("#") || it == "data:," }
                .shouldBeEmpty()
            elements.mapNotNull { it.attribute("id") }.let { it.distinct() shouldBe it }
        }
    }

    @Test
    fun `names that contain markup stay text on every page`() {
        val hostile = hostileRecord()
        val its = summaryOf(hostile, judge(hostile)).copy(savedAs = HOSTILE)
        val list = page.shown.map { it.copy(folder = HOSTILE, summary = it.summary?.let { _ -> its }) }
        val comparison = compareRecords(listOf(hostile), listOf(hostile))
        val run = ComparedRun(HOSTILE, hostile)
        listOf(
            runsHtml(RunsPage(HOSTILE, RunsAsked(HOSTILE), list, 5, 5, 1, 1)),
            historiesHtml(HOSTILE, listOf(ListedExperiment(HOSTILE, HOSTILE, 1, HOSTILE))),
            liveHtml(HOSTILE, liveDocument(progressOf(hostile), HOSTILE, isWritten = true)),
            changeHtml(comparison, run, run), messageHtml(HOSTILE, listOf(HOSTILE)),
        ).forEachIndexed { index, html -> withClue(index) { html shouldNotContain "<script>window.broken" } }
    }

    @Test
    fun `the document of a run under way has texts for the page and the data beside them`() {
        val running = record.copy(state = RunState.RUNNING, trials = record.trials.take(7))
        val document = Json.parseToJsonElement(liveJson(liveDocument(progressOf(running), "1", isWritten = true)))
            .jsonObject
        document.getValue("words").jsonPrimitive.content shouldBe "7 of 20 trials measured."
        document.getValue("share").jsonPrimitive.content shouldBe "0.35"
        document.getValue("isOver").jsonPrimitive.content shouldBe "false"
        val cell = document.getValue("cells").jsonArray.first().jsonObject
        cell.getValue("texts").jsonArray.size shouldBe LIVE_COLUMNS.size
        cell.getValue("curve").jsonPrimitive.content.count { it == 'L' } shouldBe 9
        document.getValue("progress").jsonObject.getValue("measured").jsonPrimitive.content shouldBe "7"
    }

    @Test
    fun `a comparison shows every figure with its outcome, the gated ones first`() {
        val comparison = compareRecords(listOf(record), listOf(record.copy(id = "other")))
        val html = changeHtml(comparison, ComparedRun("base", record), ComparedRun("new", record))
        Regex("<td class=\"outcome").findAll(html).count() shouldBe comparison.changes.size
        html shouldContain "href=\"/compare?base=new&amp;new=base\""
    }

    private fun pages() = listOf(
        runsHtml(page), historiesHtml("results", listOf(ListedExperiment("e", "Which?", 3, summary.startedAt))),
        liveHtml("example-1", liveDocument(progressOf(record), "1", isWritten = false)),
        messageHtml("No", listOf("No.")),
        changeHtml(
            compareRecords(listOf(record), listOf(record)), ComparedRun("base", record), ComparedRun("new", record),
        ),
        refusedHtml(),
    )
}
