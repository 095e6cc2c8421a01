package threadgauge.report.html.flame

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.openqa.selenium.Keys
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.report.Example
import threadgauge.report.exampleDifference
import threadgauge.report.exampleRecord
import threadgauge.report.exampleWithFlames
import threadgauge.report.html.Browser
import threadgauge.report.html.InBrowser
import threadgauge.report.html.ReportInBrowserTest

/** Flame graphs as a reader uses them. */
@InBrowser
class FlamesInBrowserTest(private val browser: Browser) {
    private val html = exampleWithFlames().html()

    @Test
    fun `a graph is drawn when it is opened, as wide as its values`() {
        browser.open(html)
        browser.value("document.querySelectorAll('.frame').length") shouldBe 0L
        open()
        (browser.value("document.querySelectorAll('.frame').length") as Long) shouldBeGreaterThan 20L
        // Price.of has 52 of all 119.5 µs.
        width("shop.Price.of") shouldBe (52.0 / 119.5 plusOrMinus 0.01)
        browser.value("$FRAME.find(f => f.title.startsWith('shop.Price.of')).title") shouldBe
            "shop.Price.of\nPrice.kt:20\n52 µs per request, 43.5 %"
        browser.complaints().shouldBeEmpty()
    }

    @Test
    fun `a search says how much of the graph matches, and takes no match twice`() {
        browser.open(html)
        open()
        browser.run("document.querySelector('.flame-search').focus()")
        browser.press("shop.")
        // Endpoints.block calls Price.of and forty small ones, and all of them match.
        browser.text(".flame-found") shouldBe "53.6 % matches, in 42 names"
        browser.value("$FRAME.filter(f => f.classList.contains('hit')).map(f => f.title.split('\\n')[0])")
            .let { it as List<*> } shouldContain "shop.Price.of"
        browser.press(Keys.ESCAPE)
        browser.text(".flame-found") shouldBe ""
        browser.value("document.querySelectorAll('.frame.hit').length") shouldBe 0L
        browser.press("no such method")
        browser.text(".flame-found") shouldBe "nothing matches"
    }

    @Test
    fun `the keyboard goes from frame to frame, zooms and comes back`() {
        browser.open(html)
        open()
        browser.run("document.querySelector('.flame-whole').focus()")
        browser.press(Keys.TAB)
        focused() shouldBe "all threads"
        browser.press(Keys.DOWN)
        focused() shouldBe "http-nio-#-exec-#"
        browser.press(Keys.RIGHT)
        focused() shouldBe "virtual"
        browser.press(Keys.LEFT)
        repeat(6) { browser.press(Keys.DOWN) }
        focused() shouldBe "Endpoints.block"
        browser.text(".flame-detail") shouldContain "shop.Endpoints.block · Endpoints.kt:31"
        browser.press(Keys.ENTER)
        width("shop.Endpoints.block") shouldBe (1.0 plusOrMinus 1e-6)
        width("shop.Price.of") shouldBe (52.0 / 64.0 plusOrMinus 0.01)
        focused() shouldBe "Endpoints.block"
        browser.press(Keys.UP)
        focused() shouldBe "DispatcherServlet.doDispatch"
        browser.press(Keys.ESCAPE)
        width("shop.Price.of") shouldBe (52.0 / 119.5 plusOrMinus 0.01)
        browser.value("document.querySelectorAll('.frame[tabindex=\"0\"]').length") shouldBe 1L
        browser.value("document.activeElement.getAttribute('aria-label')").toString() shouldContain "per request"
    }

    @Test
    fun `a click zooms, and a button shows the whole again`() {
        browser.open(html)
        open()
        browser.run("$FRAME.find(f => f.title.startsWith('shop.Price.of')).click()")
        width("shop.Price.of") shouldBe (1.0 plusOrMinus 1e-6)
        browser.click(".flame-whole")
        width("shop.Price.of") shouldBe (52.0 / 119.5 plusOrMinus 0.01)
    }

    @Test
    fun `a phone shows it without scrolling sideways`() {
        browser.open(html, width = 390)
        open()
        browser.value("document.documentElement.scrollWidth") shouldBe 390L
        (browser.value("document.querySelector('.flame').clientWidth") as Long) shouldBeGreaterThan 300L
    }

    @Test
    fun `its text stands out in both themes, in a difference as well`() {
        val usual = Example(exampleRecord())
        val cell = usual.judgement.situations.first()
        val flames = listOf(StackFlames(cell.cells.first().stack, cell.situation.name, exampleDifference()))
        val difference = Example(usual.record, usual.judgement, flames).html()
        for (page in listOf(html, difference)) {
            for (dark in listOf(false, true)) {
                browser.open(page, dark = dark)
                open()
                @Suppress("UNCHECKED_CAST")
                (browser.value(ReportInBrowserTest.FAINT_TEXT) as List<String>).shouldBeEmpty()
            }
        }
    }

    @Test
    fun `a difference shows what grew, and what is gone`() {
        val usual = Example(exampleRecord())
        val cell = usual.judgement.situations.first()
        val flames = listOf(StackFlames(cell.cells.first().stack, cell.situation.name, exampleDifference()))
        browser.open(Example(usual.record, usual.judgement, flames).html())
        open()
        fun of(name: String) = "$FRAME.find(f => f.title.startsWith('$name'))"
        browser.value("${of("shop.Price.of")}.classList.contains('grew-4')") shouldBe true
        browser.value("${of("shop.Price.of")}.title").toString() shouldContain "52 → 92 µs per request"
        browser.value("${of("shop.Tax.of")}.classList.contains('shrank-4')") shouldBe true
        browser.value("${of("shop.Tax.of")}.title").toString() shouldContain "25 → 0 µs per request"
        width("shop.Tax.of") shouldBeGreaterThan 0.05
    }

    private fun open() {
        // Otherwise a page that still scrolls is clicked beside its button.
        browser.run("document.documentElement.style.scrollBehavior = 'auto'")
        browser.run(
            "const d = document.querySelector('details.flames'); d.parentElement.closest('details').open = true; " +
                "d.open = true",
        )
        browser.await("document.querySelectorAll('.frame').length > 0")
    }

    private fun width(name: String): Double = (
        browser.value(
            "(f => f.getBoundingClientRect().width / f.parentElement.clientWidth)" +
                "($FRAME.find(f => f.title.startsWith('$name')))",
        ) as Number
        ).toDouble()

    private fun focused() = browser.value("document.activeElement.textContent")

    companion object {
        private const val FRAME = "Array.from(document.querySelectorAll('.frame'))"
    }
}
