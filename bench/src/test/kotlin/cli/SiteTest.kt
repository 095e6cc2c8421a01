package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.cli.command.publish.commandFor
import threadgauge.cli.command.publish.publishSite
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap
import threadgauge.report.exampleRecord
import threadgauge.store.written

class SiteTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `every page of a site has its data and its command, and every link of it leads somewhere`() {
        val site = temporary.resolve("site")
        val map = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1)
        val results = temporary.resolve("results")
        publishSite(listOf(written(results, "tour-1", exampleRecord()), written(results, "map-1", map)), site) shouldBe
            site.resolve("index.html")
        val pages = listOf("index.html", "runs/tour-1/report.html", "runs/map-1/report.html").map(site::resolve)
        for (page in pages) withClue(page) {
            val text = page.readText()
            text shouldContain "To ask it again: "
            links(text).filterNot { page.resolveSibling(it).normalize().exists() }.shouldBeEmpty()
            // Nothing is loaded from elsewhere.
            Regex("(src|href)=\"https?:").containsMatchIn(text) shouldBe false
        }
        val index = pages.first().readText()
        links(index) shouldContain "runs/map-1/map-1.zip"
        links(index) shouldContain "runs/tour-1/report.html"
        index shouldContain "./threadgauge map pool loop dear --sheet wait --work 1..250 --users 10..5000"
        Regex("href=\"runs/map-1/report.html#place-\\d+-\\d+\"").containsMatchIn(index) shouldBe true
        // Published records have no paths of this machine.
        site.resolve("runs/tour-1/record.json").readText() shouldNotContain "$temporary"
    }

    @Test
    fun `a shipped experiment is asked by its file, and another one by the name that it would have`() {
        val root = Path.of("..").toAbsolutePath().normalize()
        val plan = exampleRecord().plan
        fun named(name: String) = plan.copy(experiment = plan.experiment.copy(name = name), seed = 7)
        commandFor(named("claim-l-cio"), root) shouldBe
            "./threadgauge run experiments/claims/l-cio.yaml --seed 7"
        commandFor(named("of-mine"), root) shouldBe "./threadgauge run of-mine.yaml --seed 7"
    }

    /** Without those to a place of the same page. */
    private fun links(html: String): List<String> = Regex("<a [^>]*href=\"([^\"]*)\"").findAll(html)
        .map { it.groupValues[1].substringBefore('#') }.filter { it.isNotEmpty() }.toSet().toList()
}
