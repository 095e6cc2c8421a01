package threadgauge.report.map

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.judge.map.judgeMap
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.POOL
import threadgauge.map.exploredMap
import threadgauge.report.html.Browser
import threadgauge.report.html.InBrowser
import threadgauge.report.html.ReportInBrowserTest.Companion.FAINT_TEXT

/** The map as a reader uses it. */
@InBrowser
class MapInBrowserTest(private val browser: Browser) {
    private val record = exploredMap(mapOf("pool" to POOL, "loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1)
    private val html = mapHtmlReport(record, judgeMap(record))

    @Test
    fun `a place of the picture leads to its figures`() {
        browser.open(html)
        val place = browser.value("document.querySelector('svg.map a').getAttribute('href')") as String
        browser.run("document.querySelector('svg.map a').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        browser.value("location.hash") shouldBe place
        // The row is on the screen, with the name of a stack and its throughput.
        browser.await("document.querySelector(':target').getBoundingClientRect().top < innerHeight")
        browser.text(":target") shouldContain "POOL"
        browser.complaints().shouldBeEmpty()
    }

    @Test
    fun `the keyboard reaches every place, and each says what it is`() {
        browser.open(html)
        val links = browser.value("document.querySelectorAll('svg.map a').length") as Long
        browser.value("document.querySelectorAll('svg.map a title').length") shouldBe links
        browser.run("document.querySelector('svg.map a').focus()")
        browser.value("document.activeElement.closest('svg.map') !== null") shouldBe true
    }

    @Test
    fun `the picture can be read on a desk, on a phone and on paper`() {
        for (width in listOf(1280, 390)) {
            browser.open(html, width)
            withClue("$width pixels") {
                number("document.documentElement.scrollWidth") shouldBeLessThanOrEqual
                    number("document.documentElement.clientWidth")
                // Letters of 13 units, of which a panel is 476 wide: nine pixels or more can be read.
                val panel = number("document.querySelector('svg.map').getBoundingClientRect().width")
                13 * panel / 476 shouldBeGreaterThan 9.0
            }
        }
        browser.open(html, dark = true)
        browser.medium("print", dark = true)
        val paper = browser.value("getComputedStyle(document.querySelector('svg.map .map-paper')).fill")
        paper shouldBe "rgb(252, 251, 248)"
        browser.medium("screen")
    }

    @Test
    fun `text is dark enough on its ground in both themes`() {
        for (dark in listOf(false, true)) {
            browser.open(html, dark = dark)
            withClue(if (dark) "dark" else "light") { (browser.value(FAINT_TEXT) as List<*>).shouldBeEmpty() }
        }
    }

    private fun number(expression: String) = (browser.value(expression) as Number).toDouble()
}
