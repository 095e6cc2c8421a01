package threadgauge.report.map

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import javax.xml.parsers.DocumentBuilderFactory
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import org.w3c.dom.Element
import threadgauge.judge.map.judgeMap
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.report.shouldBeApproved

/** The reports need no judge: what they show is made here by the real one, from stacks that keep the law. */
class MapReportTest {
    private val record = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1)

    private fun terminal(record: Record): String {
        val terminal = Terminal(ansiLevel = AnsiLevel.NONE, width = 80)
        val text = terminal.render(mapReport(record, judgeMap(record), "results/map-wait/report.html"))
        return text.lines().joinToString("\n") { it.trimEnd() } + "\n"
    }

    @Test
    fun `the terminal shows the approved text, within 80 columns`() {
        val text = terminal(record)
        text.lines().maxOf { it.length } shouldBeLessThanOrEqual 80
        shouldBeApproved(text, "map.approved.txt")
    }

    @Test
    fun `an interrupted map says so, and an empty one has no picture`() {
        terminal(record.copy(state = RunState.INTERRUPTED)) shouldContain "Interrupted."
        val empty = record.copy(trials = record.trials.map { it.copy(slices = emptyList()) })
        terminal(empty) shouldContain "No place was measured"
        mapPicture(empty, judgeMap(empty)).shouldBeNull()
        mapHtmlReport(empty, judgeMap(empty)) shouldNotContain "<svg class=\"map\""
    }

    @Test
    fun `a column that was only begun leaves no gap in the picture`() {
        val judgement = judgeMap(record)
        val users = judgement.question.users
        val begun = judgement.places.map { it.work }.distinct().sorted()[1]
        val cut = judgement.copy(places = judgement.places.filter { it.work != begun || it.users == users.first() })
        cut.places.any { it.work == begun } shouldBe true
        val columns = cellsOf(cut).groupBy { it.place.work }
        columns.containsKey(begun) shouldBe false
        // Each column ends where the next begins, and reaches from the first row to the last.
        columns.values.map { it.first().work }.zipWithNext().all { (a, b) -> a.endInclusive == b.start } shouldBe true
        columns.values.forEach { cells ->
            cells.map { it.place.users }.containsAll(listOf(users.first(), users.last())) shouldBe true
        }
        // What there is is drawn where nothing is whole.
        val thin = judgement.copy(places = judgement.places.filter { it.users == users.first() })
        cellsOf(thin).size shouldBe thin.places.size
    }

    @Test
    fun `the JSON document has every place, and the findings in words`() {
        val judgement = judgeMap(record)
        val document = Json.parseToJsonElement(mapJson(record, judgement)).jsonObject.getValue("judgement").jsonObject
        document.getValue("places").jsonArray.size shouldBe judgement.places.size
        document.getValue("findings").jsonArray.map { it.jsonPrimitive.content }.shouldNotBeEmpty()
    }

    @Test
    fun `the picture is well-formed, has a cell for each stack at each place, and loads nothing`() {
        val judgement = judgeMap(record)
        val text = mapPicture(record, judgement).shouldNotBeNull()
        val parser = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        val rects = parser.parse(text.byteInputStream()).documentElement.getElementsByTagName("rect")
        val cells = (0..<rects.length).map { rects.item(it) as Element }
            .filter { "map-cell" in it.getAttribute("class") }
        cells.size shouldBe judgement.places.sumOf { it.stacks.size }
        text shouldNotContain "href"
        val titles = cells.map { it.getElementsByTagName("title").item(0).textContent }
        titles.any { "held at 200 at a time by a setting" in it } shouldBe true
    }

    @Test
    fun `cells of a panel cover it without a gap and without lying on each other`() {
        val judgement = judgeMap(record)
        val cells = cellsOf(judgement)
        cells.size shouldBe judgement.places.size
        for (column in cells.groupBy { it.place.work }.values) {
            column.zipWithNext().forEach { (lower, upper) -> lower.users.endInclusive shouldBe upper.users.start }
            column.map { it.work }.toSet().size shouldBe 1
        }
        val columns = cells.distinctBy { it.place.work }
        columns.zipWithNext().forEach { (left, right) -> left.work.endInclusive shouldBe right.work.start }
    }

    @Test
    fun `in the page each cell leads to its figures`() {
        val judgement = judgeMap(record)
        val page = mapHtmlReport(record, judgement)
        judgement.places.forEach { place ->
            page shouldContain "href=\"#place-${place.work}-${place.users}\""
            page shouldContain "id=\"place-${place.work}-${place.users}\""
        }
    }
}
