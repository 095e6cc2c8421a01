package threadgauge.report.history

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import threadgauge.model.doubt.MachineName
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.History
import threadgauge.model.judgement.compare.HistoryChange
import threadgauge.model.judgement.compare.HistoryEvent
import threadgauge.model.judgement.compare.HistoryPoint
import threadgauge.model.judgement.compare.HistoryRun
import threadgauge.model.judgement.compare.HistorySeries
import threadgauge.model.judgement.compare.LeftOutReason
import threadgauge.model.judgement.compare.LeftOutRun
import threadgauge.model.judgement.compare.OddRun
import threadgauge.model.judgement.compare.SoftwarePart
import threadgauge.report.HOSTILE
import threadgauge.report.shouldBeApproved
import threadgauge.wording.history.words

/** All of it is invented. */
class HistoryReportTest {
    private val java = HistoryEvent.Software(7, SoftwarePart.JAVA, "25.0.1", "25.0.2")
    private val worse = HistoryChange(7, 1_003.0, 905.0, 0.902, 0.889, 0.915, isBetter = false, events = listOf(java))
    private val history = History(
        "checkout",
        List(10) {
            val day = "%02d".format(it + 1)
            HistoryRun("checkout-202611$day-120000", "main".takeIf { _ -> it % 2 == 0 }, "2026-11-${day}T12:00:00Z")
        },
        listOf(
            series(Compared.THROUGHPUT, List(10) { if (it < 7) 1_000.0 + it else 905.0 + it % 2 }, listOf(worse)),
            series(Compared.CPU, List(10) { 50.0 + it % 3 }).copy(odd = listOf(OddRun(9, 0.11, isBetter = false))),
        ),
        listOf(java, HistoryEvent.MachineSpeed(3, 0.81)),
        listOf(LeftOutRun("checkout-x", LeftOutReason.OtherMachine(MachineName("old", 8), MachineName("new", 2)))),
        0.03,
    )

    @Test
    fun `the terminal shows the answer first, then figures and changes, within 80 columns`() {
        val text = Terminal(ansiLevel = AnsiLevel.NONE, width = 80)
            .render(historyReport(history, "results/history-checkout.html")).lines().map { it.trimEnd() }
        text.filter { it.length > 80 }.shouldBeEmpty()
        shouldBeApproved(text.joinToString("\n"), "history.approved.txt")
    }

    @Test
    fun `the JSON document has words beside the data`() {
        val document = Json.parseToJsonElement(historyJson(history)).jsonObject
        document.getValue("words").jsonPrimitive.content shouldBe "Of 2 figures, 1 became worse."
        val change = document.getValue("series").jsonArray.first().jsonObject.getValue("changes").jsonArray.single()
        change.jsonObject.getValue("words").jsonPrimitive.content shouldBe
            "Throughput of shop in orders is worse, 0.90 times (0.89 to 0.92) since checkout-20261108-120000."
    }

    @Test
    fun `the page has the words, links only to what there is, and no name becomes markup`() {
        val hostile = history.copy(
            experiment = HOSTILE,
            runs = history.runs.map { it.copy(record = it.record + HOSTILE, savedAs = HOSTILE) },
            series = history.series.map { it.copy(stack = HOSTILE, situation = HOSTILE) },
        )
        historyHtml(hostile, emptyMap()) shouldNotContain "<script>window.broken"
        val run = history.runs.first().record
        val page = historyHtml(history, mapOf(run to "$run/report.html"))
        page shouldContain "href=\"$run/report.html\""
        Regex("href=\"[^#\"]*report.html\"").findAll(page).count() shouldBe 1
        page shouldContain "Of 2 figures, 1 became worse."
    }

    @Test
    fun `few runs, no runs, and no changes have words of their own`() {
        history.copy(runs = history.runs.take(3)).words() shouldBe
            "3 runs: a change is told from noise from 5 runs on."
        history.copy(runs = emptyList()).words() shouldBe "No run of checkout has figures."
        val odd = history.series.drop(1)
        history.copy(series = odd).words() shouldBe "No figure changed over 10 runs for longer than one run."
        history.copy(series = odd.map { it.copy(odd = emptyList()) }).words() shouldBe "No figure changed over 10 runs."
    }

    private fun series(of: Compared, values: List<Double>, changes: List<HistoryChange> = emptyList()) = HistorySeries(
        "orders", "shop", of,
        values.mapIndexed { at, value ->
            HistoryPoint(value, value * 0.98, value * 1.02, if (at == 4) Validity.SUSPECT else Validity.VALID)
                .takeIf { at != 2 }
        },
        changes,
    )
}
