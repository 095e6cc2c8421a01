package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.cli.command.publish.publishSite
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap
import threadgauge.report.exampleRecord
import threadgauge.report.html.Browser
import threadgauge.report.html.InBrowser
import threadgauge.store.written

/** A site as a visitor uses it. */
@InBrowser
class SiteInBrowserTest(private val browser: Browser) {
    @TempDir
    lateinit var temporary: Path

    @Test
    fun `a visitor gets from a place of the map to its figures, and to an experiment and its data`() {
        val map = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1)
        val results = temporary.resolve("results")
        val folders = listOf(written(results, "tour-1", exampleRecord()), written(results, "map-1", map))
        val first = publishSite(folders, temporary.resolve("site"))
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
