package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledIf
import org.junit.jupiter.api.io.TempDir
import threadgauge.cli.command.publishSite
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap
import threadgauge.model.Record
import threadgauge.report.exampleRecord
import threadgauge.report.html.Browser
import threadgauge.store.RecordFolder

/** A site as a visitor uses it. Skipped where Chromium or its driver is not installed. */
@Tag("browser")
@EnabledIf(
    "threadgauge.cli.SiteInBrowserTest#chromiumIsInstalled",
    disabledReason = "Chromium or its driver is missing",
)
class SiteInBrowserTest {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `a visitor gets from a place of the map to its figures, and to an experiment and its data`() {
        val map = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1)
        val first = publishSite(
            listOf(folderOf("tour-1", exampleRecord()), folderOf("map-1", map)), temporary.resolve("site"),
        )
        Browser().use { browser ->
            for (width in listOf(1280, 390)) withClue("$width pixels") {
                browser.visit("${first.toUri()}", width)
                val wide = browser.value("document.documentElement.scrollWidth") as Number
                wide.toDouble() shouldBeLessThanOrEqual width.toDouble()
            }
            browser.visit("${first.toUri()}", 1280)
            browser.text("h1") shouldBe "Which concurrency model fits a server like mine?"
            browser.run("document.querySelector('svg.map a').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
            browser.await("document.querySelector(':target') !== null")
            browser.text(":target") shouldContain "POOL"
            browser.text("footer") shouldContain "./threadgauge map pool loop dear"
            browser.visit("${first.toUri()}", 1280)
            browser.run("document.querySelector('h3 a[href=\"runs/tour-1/report.html\"]').click()")
            browser.await("document.querySelector('#answer') !== null")
            browser.text("footer") shouldContain "--seed"
            browser.complaints().shouldBeEmpty()
        }
    }

    private fun folderOf(name: String, record: Record): RecordFolder {
        val folder = temporary.resolve("results").resolve(name).createDirectories()
        val all = Json { encodeDefaults = true }
        folder.resolve("record.json").writeText(all.encodeToString(Record.serializer(), record.copy(id = name)))
        return RecordFolder(folder)
    }

    companion object {
        @JvmStatic
        fun chromiumIsInstalled() = Browser.present
    }
}
