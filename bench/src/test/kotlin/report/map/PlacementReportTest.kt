package threadgauge.report.map

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
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
import threadgauge.judge.map.judgeMap
import threadgauge.judge.map.placements
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap
import threadgauge.model.Record
import threadgauge.model.profile.WaitCause
import threadgauge.report.shouldBeApproved

/** Where a service of a thousand users with few threads lies on a map. */
class PlacementReportTest {
    private val mapRecord = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1)
    private val map = judgeMap(mapRecord)
    private val record = run {
        val tomcat = "http-nio-#-exec-#"
        val made = ProfileOf(2_000.0, 500.0).group(tomcat, 200, cpu = 0.3)
            .waits(WaitCause.SOCKET_READ, tomcat, 196.0, Traces.calling("tomcat"), on = "127.0.0.1:9001")
        MadeUp(cpuMicros = 150.0).under(1_000, 2_000.0, made).record()
    }

    private fun html(of: Record) = placementHtml(of, placements(of, mapRecord, map), mapRecord, map)

    @Test
    fun `the terminal shows the approved text, within 80 columns`() {
        val terminal = Terminal(ansiLevel = AnsiLevel.NONE, width = 80)
        val report = placementReport(record, placements(record, mapRecord, map), map, "results/advise-shop/place.html")
        val text = terminal.render(report).lines().joinToString("\n") { it.trimEnd() } + "\n"
        text.lines().maxOf { it.length } shouldBeLessThanOrEqual 80
        shouldBeApproved(text, "place.approved.txt")
    }

    @Test
    fun `the page has a mark in each panel, and what was measured is escaped`() {
        Regex("class=\"map-mark\"").findAll(html(record)).count() shouldBe map.stacks.size
        val hostile = "<b>&\"shop"
        val renamed = record.copy(
            plan = record.plan.copy(stacks = record.plan.stacks.map { it.copy(title = hostile) }),
        )
        html(renamed) shouldNotContain "<b>&"
    }

    @Test
    fun `the JSON document has the placement, its words and its doubts`() {
        val text = placementJson(placements(record, mapRecord, map), map)
        val placed = Json.parseToJsonElement(text).jsonObject.getValue("placements").jsonArray.single().jsonObject
        placed.getValue("placement").jsonObject.getValue("users").jsonPrimitive.content shouldBe "1000"
        placed.getValue("words").jsonArray.first().jsonPrimitive.content shouldContain "Most would come of"
        placed.getValue("doubts").jsonArray.size shouldBe 4
    }
}
