package threadgauge.serve

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.history.summaryOf
import threadgauge.judge.recordOf
import threadgauge.model.RunSummary
import threadgauge.report.runs.ListedRun
import threadgauge.report.runs.RunStatus
import threadgauge.report.runs.RunsAsked

class RunSearchTest {
    private val record = recordOf(mapOf("spring-mvc" to listOf(1.0), "ktor-netty" to listOf(1.0)))
    private val runs = listOf(
        run("shop-1", record.named("shop", "Is checkout slow?", savedAs = "main").let { summaryOf(it, null) }),
        run("tour-1", summaryOf(record.named("tour", "Which model fits?"), null)),
        ListedRun("broken-1", RunStatus.UNREADABLE, "2026-01-01T00:00:00Z"),
    )

    @Test
    fun `words are looked for in the experiment, the name, the stacks, the question, the state and the folder`() {
        val expected = mapOf(
            "shop" to listOf("shop-1"), "MAIN" to listOf("shop-1"), "checkout" to listOf("shop-1"),
            "ktor" to listOf("shop-1", "tour-1"), "complete" to listOf("shop-1", "tour-1"),
            "unreadable" to listOf("broken-1"), "roken" to listOf("broken-1"), "netty fits" to listOf("tour-1"),
            "shop fits" to emptyList(), "  " to listOf("shop-1", "tour-1", "broken-1"),
        )
        expected.forEach { (words, folders) ->
            withClue(words) { found(RunsAsked(words)) shouldContainExactly folders }
        }
    }

    @Test
    fun `a state narrows the search`() {
        found(RunsAsked(status = RunStatus.UNREADABLE)) shouldContainExactly listOf("broken-1")
        found(RunsAsked("shop", RunStatus.UNREADABLE)) shouldContainExactly emptyList()
    }

    @Test
    fun `pages follow one another, and a page beyond the last is the last`() {
        val many = List(2 * PAGE + 1) { run("r-$it", runs.first().summary!!) }
        pageOf("results", many, RunsAsked()).run { shown.size shouldBe PAGE; pages shouldBe 3 }
        pageOf("results", many, RunsAsked(page = 2)).shown.first().folder shouldBe "r-$PAGE"
        pageOf("results", many, RunsAsked(page = 99)).run { shown.size shouldBe 1; asked.page shouldBe 3 }
        pageOf("results", emptyList(), RunsAsked(page = 2)).run { pages shouldBe 1; asked.page shouldBe 1 }
    }

    @Test
    fun `an address is read as far as it is known`() {
        askedOf(Query("q=a%20b+c&state=Complete&page=3")) shouldBe RunsAsked("a b c", RunStatus.COMPLETE, 3)
        askedOf(Query("state=what&page=-1&page=9&x=%zz&q=%C3%A4")) shouldBe RunsAsked("ä")
        askedOf(Query(null)) shouldBe RunsAsked()
        askedOf(Query("q=" + "x".repeat(10_000))).query.length shouldBe 200
        stepsOf("/runs/a%20b%2Fc+d/live") shouldBe listOf("runs", "a b/c+d", "live")
        stepsOf("/runs/%zz").shouldBeNull()
    }

    private fun found(asked: RunsAsked) = pageOf("results", runs, asked).shown.map { it.folder }

    private fun run(folder: String, summary: RunSummary) =
        ListedRun(folder, RunStatus.COMPLETE, summary.startedAt, summary)
}
