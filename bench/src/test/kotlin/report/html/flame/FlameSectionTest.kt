package threadgauge.report.html.flame

import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import org.junit.jupiter.api.Test
import threadgauge.judge.cause.GroupKey
import threadgauge.judge.flame.FoldedStack
import threadgauge.judge.flame.FoldedStacks
import threadgauge.judge.flame.graphOf
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.model.profile.FlameKind
import threadgauge.model.profile.FlameSource
import threadgauge.model.profile.Frame
import threadgauge.report.Example
import threadgauge.report.HOSTILE
import threadgauge.report.attribute
import threadgauge.report.elements
import threadgauge.report.exampleGraphs
import threadgauge.report.exampleRecord
import threadgauge.report.exampleWithCauses
import threadgauge.report.exampleWithFlames
import threadgauge.report.parse

/** Flame graphs in the HTML, before any script runs. */
class FlameSectionTest {
    private val html = exampleWithFlames().html()

    @Test
    fun `each stack has its graphs with a title, a search, and a table of the largest methods`() {
        val cells = exampleWithFlames().judgement.situations.sumOf { it.cells.size }
        val elements = parse(html).elements()
        val graphs = elements.filter { it.attribute("data-flame") != null }
        graphs.map { it.attribute("data-flame") } shouldBe List(3 * cells) { "$it" }
        graphs.first().attribute("aria-label")!! shouldContain "CPU time: 119 µs per request, "
        elements.count { it.attribute("class") == "flame-search" } shouldBe 3 * cells
        val text = parse(html).documentElement.textContent
        text shouldContain "HashMap.get"
        text shouldContain "new byte[]"
        text shouldContain "EndpointsKt.invokeSuspend"
        text shouldContain "Time of threads within requests: 101 ms per request"
        text shouldContain "From 800 samples of async-profiler"
    }

    @Test
    fun `the data has every node once, with names in full`() {
        val data = dataIn(html)
        val methods = data.getValue("methods").jsonArray.map { row -> row.jsonArray.map { it.jsonPrimitive.content } }
        methods shouldContain listOf("Price.of", "shop.Price.of", "Price.kt:20", "own")
        val collector = "G1ParScanThreadState::trim_queue"
        methods shouldContain listOf(collector, "libjvm.so.$collector", "", "native")
        methods shouldContain listOf("http-nio-#-exec-#", "threads http-nio-#-exec-#", "", "threads")
        val first = data.getValue("graphs").jsonArray.first().jsonObject
        val nodes = first.getValue("nodes").jsonArray.map { it.jsonPrimitive.long }.chunked(3)
        nodes.filter { it[0] == 0L }.sumOf { it[2] } shouldBe 100_000L
        first.getValue("total").jsonPrimitive.double shouldBe exampleGraphs().first().roots.sumOf { it.value }
    }

    @Test
    fun `without profiles there is no word of it, and no script`() {
        for (example in listOf(Example(exampleRecord()), exampleWithCauses())) {
            example.html() shouldNotContain "id=\"flame-data\""
            example.html() shouldNotContain "<summary>Flame graphs"
        }
    }

    @Test
    fun `names from other people are text`() {
        val stack = FoldedStack(GroupKey(HOSTILE, false), listOf(Frame("a.$HOSTILE", HOSTILE, 3, HOSTILE)), 3.0)
        val graph = graphOf(FoldedStacks(FlameKind.CPU, FlameSource.NATIVE, 3, listOf(stack)), null)
        val usual = Example(exampleRecord())
        val cell = usual.judgement.situations.first()
        val flames = listOf(StackFlames(cell.cells.first().stack, cell.situation.name, listOf(graph)))
        val broken = Example(usual.record, usual.judgement, flames).html()
        broken shouldNotContain HOSTILE
        broken shouldNotContain "<img"
        dataIn(broken).getValue("methods").jsonArray[0].jsonArray[0].jsonPrimitive.content shouldBe HOSTILE
    }

    /** Four stacks in three situations with three graphs each, every one of them as large as it may be. */
    @Test
    fun `a tour's report grows by less than a megabyte`() {
        val graphs = List(36) { number ->
            val stacks = List(4_000) { at ->
                val frames = listOf(at, at / 4, at / 16, at / 64, 0)
                    .map { Frame("org.example.framework.part$it.Handler$it", "handleRequest", it, "Handler$it.java") }
                FoldedStack(GroupKey("http-nio-#-exec-#", false), frames, 1.0 + (at + number) % 7)
            }
            graphOf(FoldedStacks(FlameKind.CPU, FlameSource.NATIVE, 4_000, stacks), null)
        }
        val size = FlamePage(listOf(StackFlames("a", "s", graphs))).json().length
        println("flame graphs of a tour: ${size / 1_000} kB")
        size shouldBeLessThan 1_000_000
    }

    private fun dataIn(html: String) = Json.parseToJsonElement(
        html.substringAfter("id=\"flame-data\">").substringBefore("</script>"),
    ).jsonObject
}
