package threadgauge.report.regression

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
import threadgauge.judge.cause.ProfileOf
import threadgauge.judge.cause.Traces
import threadgauge.judge.flame.recordWith
import threadgauge.judge.recordOf
import threadgauge.judge.regression.compareRecords
import threadgauge.judge.regression.flameChanges
import threadgauge.model.judgement.cause.FlameLookup
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.model.profile.Profile

/** What each form of a comparison says of causes; nothing without profiles. */
class CausesInComparisonsTest {
    private val base = recordWith(computing(300, 0.4))
    private val new = recordWith(computing(600, 0.7))
    private val comparison = compareRecords(listOf(base), listOf(new))
    private val plain = recordOf(mapOf("a" to listOf(1_000.0, 1_000.0, 1_000.0)))
    private val without = compareRecords(listOf(plain), listOf(plain))
    private val method = "CPU: Price.of at Price.kt:20 takes 300 µs more per request (300 µs before, 600 µs now; " +
        "300 and 600 samples)."

    @Test
    fun `the terminal names the method below the figures, within 80 columns`() {
        val text = terminal(comparison)
        text.lines().filter { it.length > 80 }.shouldBeEmpty()
        text.replace(Regex("\\s+"), " ") shouldContain method
        terminal(without) shouldNotContain "CPU:"
        val same = terminal(compareRecords(listOf(base), listOf(base))).replace(Regex("\\s+"), " ")
        same shouldContain "Causes: nothing changed by more than chance explains; it was so fast because"
    }

    @Test
    fun `Markdown and JSON have the same sentence`() {
        changeMarkdown(comparison) shouldContain "  - CPU: Price.of at Price.kt:20 takes 300 µs more per request"
        changeMarkdown(without) shouldNotContain "Causes"
        val cause = causes(comparison).single().jsonObject
        cause.getValue("words").jsonPrimitive.content shouldContain method
        val named = cause.getValue("methods").jsonArray.single().jsonObject
        named.getValue("baseSamples").jsonPrimitive.content shouldBe "300"
        causes(without).size shouldBe 0
    }

    @Test
    fun `a page has the sentence and the flame graphs of the difference, served or as a file`() {
        val flames = flameChanges(listOf(base), listOf(new), FlameLookup.NONE)
        val served = changeHtml(comparison, ComparedRun("old", base), ComparedRun("new", new), flames)
        val file = changeDocument(comparison, base, new, flames)
        for (html in listOf(served, file)) {
            html shouldContain "Price.of at Price.kt:20 takes 300"
            html shouldContain "CPU time: 400 µs per request before, 700 µs per request now"
            html shouldContain "\"isDifference\":true"
        }
        file shouldNotContain "href=\"/"
        file shouldNotContain " src="
        changeHtml(without, ComparedRun("old", plain), ComparedRun("new", plain)) shouldNotContain "flame-data"
    }

    private fun terminal(of: RecordComparison) =
        Terminal(ansiLevel = AnsiLevel.NONE, width = 80).render(changeReport(of)).lines()
            .joinToString("\n") { it.trimEnd() }

    private fun causes(of: RecordComparison) =
        Json.parseToJsonElement(changeJson(of)).jsonObject.getValue("causes").jsonArray

    private fun computing(price: Long, cpu: Double): Profile = ProfileOf(1_000.0, meanMillis = 20.0)
        .group("http-nio-#-exec-#", 20, cpu = cpu).runs("http-nio-#-exec-#", price, Traces.computing("tomcat"))
        .runs("http-nio-#-exec-#", 100, listOf("shop.Tax.of(Tax.kt:5)") + Traces.computing("tomcat").drop(2)).profile()
}
