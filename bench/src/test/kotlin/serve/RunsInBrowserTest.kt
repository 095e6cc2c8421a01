package threadgauge.serve

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import java.nio.file.Path
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.openqa.selenium.Keys
import threadgauge.model.RunState
import threadgauge.report.exampleRecord
import threadgauge.report.html.Browser
import threadgauge.report.html.InBrowser
import threadgauge.report.html.ReportInBrowserTest
import threadgauge.store.RecordFolder
import threadgauge.store.RecordLock

/** The page over all runs as a reader meets it. */
@InBrowser
class RunsInBrowserTest(private val browser: Browser) {
    @TempDir
    lateinit var place: Path
    private lateinit var server: RunServer

    @BeforeEach
    fun serve() {
        runIn(place, "shop-1") { it.named("shop", "Do virtual threads help our shop?", savedAs = "main") }
        runIn(place, "shop-2", day = 2) { it.named("shop", "Do virtual threads help our shop?", savedAs = "branch") }
        runIn(place, "tour-1", day = 3) { it.named("tour", "Which model fits?") }
        server = serverOf(place)
        // While a run is under way, others are not read.
        while ("still being read" in server.get("/").body) Thread.onSpinWait()
    }

    @AfterEach
    fun end() = server.close()

    @Test
    fun `the list follows the search as it is typed, and the address keeps it`() {
        open("/")
        rows() shouldContainExactly listOf("tour", "shop", "shop")
        browser.click("#query")
        browser.press("branch")
        browser.await("document.querySelectorAll('.run').length === 1")
        browser.text(".run .name") shouldContain "branch"
        browser.value("location.search") shouldBe "?q=branch"
        browser.press(*Array(6) { Keys.BACK_SPACE })
        browser.await("document.querySelectorAll('.run').length === 3")
        browser.run("document.querySelector('#state').value = 'failed'")
        browser.run("document.querySelector('#state').dispatchEvent(new Event('change'))")
        browser.await("document.querySelector('.found').textContent === 'No run matches.'")
        browser.complaints().shouldBeEmpty()
    }

    @Test
    fun `two runs are chosen and laid side by side, a third takes the place of the first`() {
        open("/")
        browser.value("document.querySelector('#side-by-side').disabled") shouldBe true
        listOf("tour-1", "shop-2", "shop-1").forEach { browser.click("input[value='$it']") }
        browser.value("document.querySelector('input[value=tour-1]').checked") shouldBe false
        browser.click("#side-by-side")
        browser.await("document.querySelector('.sentences')")
        browser.text("h1") shouldBe "Is shop-2 worse than shop-1?"
        browser.value("document.querySelectorAll('.changes tbody tr').length") shouldBe 10L
        browser.complaints().shouldBeEmpty()
    }

    @Test
    fun `the keyboard searches, goes through the runs, chooses and lays side by side`() {
        open("/")
        browser.press(Keys.TAB)
        browser.value("document.activeElement.className") shouldBe "skip"
        browser.press("j")
        browser.press("j")
        browser.value("document.activeElement.closest('.run').querySelector('.code').textContent") shouldBe "shop-2"
        browser.press("x")
        browser.press("j")
        browser.press("x")
        browser.text("#chosen-words") shouldBe "Two runs are chosen."
        browser.press("/")
        browser.value("document.activeElement.id") shouldBe "query"
        browser.press("jk")
        browser.value("document.activeElement.value") shouldBe "jk"
        browser.press(Keys.ESCAPE)
        browser.press("c")
        browser.await("location.pathname === '/compare' && document.querySelector('.sentences')")
        browser.press(Keys.TAB)
        browser.value("getComputedStyle(document.activeElement).outlineStyle") shouldBe "solid"
    }

    @Test
    fun `a run under way is followed until it has ended`() {
        val folder = runIn(place, "live", day = 4) { it.named("live", "How far is it?").underWay(measured = 1) }
        RecordLock.take(folder.path).use {
            open("/")
            browser.text(".run .when") shouldContain "under way"
            browser.click(".run .name a")
            browser.await("document.querySelector('#live')")
            browser.text("#live-words") shouldBe "1 of 6 trials measured."
            browser.text("#live-now") shouldContain "first, trial 2: starting"
            browser.run("window.unloaded = false; addEventListener('beforeunload', () => { window.unloaded = true })")
            runIn(place, "live", day = 4) { it.named("live", "How far is it?").underWay(measured = 4) }
            browser.await("document.querySelector('#live-words').textContent === '4 of 6 trials measured.'")
            browser.text("[data-cell='1'] td") shouldContain "1"
            runIn(place, "live", day = 4) { it.named("live", "How far is it?").copy(state = RunState.COMPLETE) }
            browser.await("document.querySelector('#live-status').textContent === 'complete'")
        }
        browser.value("document.querySelector('#live').dataset.following === undefined") shouldBe true
        browser.value("window.unloaded") shouldBe false
        browser.complaints().shouldBeEmpty()
        browser.click("#live-report")
        browser.await("document.querySelector('#answer')")
    }

    @Test
    fun `a server that has ended is noticed, and the figures stay`() {
        val folder = runIn(place, "live", day = 4) { it.underWay(measured = 1) }
        RecordLock.take(folder.path).use {
            open("/runs/live/live")
            server.close()
            browser.await("!document.querySelector('#live-lost').hidden")
            browser.text("#live-words") shouldBe "1 of 6 trials measured."
        }
        browser.complaints()
    }

    @Test
    fun `reports and histories work under the policies of the server`() {
        RecordFolder(place.resolve("example")).create().write(exampleRecord())
        open("/runs/example/report")
        browser.run("document.documentElement.style.scrollBehavior = 'auto'")
        browser.run("document.querySelector('canvas').scrollIntoView()")
        browser.await("document.querySelector('canvas').dataset.drawn === 'yes'")
        open("/history/shop")
        val light = browser.value(BACKGROUND)
        browser.click("#theme")
        browser.value(BACKGROUND) shouldNotBe light
        browser.run("localStorage.clear()")
        browser.complaints().shouldBeEmpty()
        (browser.value("document.querySelector('header a[href=\"/\"]').href") as String) shouldEndWith "/"
    }

    @Test
    fun `text stands out in both themes, and no page is wider than a phone`() {
        RecordFolder(place.resolve("example")).create().write(exampleRecord())
        val folder = runIn(place, "live", day = 4) { it.underWay(measured = 3) }
        RecordLock.take(folder.path).use {
            for (path in listOf("/", "/history", "/compare?run=shop-1&run=shop-2", "/runs/live/live", "/none")) {
                withClue(path) {
                    for (dark in listOf(false, true)) {
                        open(path, dark = dark)
                        browser.value(ReportInBrowserTest.FAINT_TEXT) shouldBe emptyList<String>()
                    }
                    val dark = browser.value(BACKGROUND)
                    open(path, width = 390)
                    browser.value(BACKGROUND) shouldNotBe dark
                    val except = ".scroll *, svg, .unseen, thead"
                    browser.value(ReportInBrowserTest.wider("main *", except, than = 390)) shouldBe emptyList<String>()
                    browser.value("document.documentElement.scrollWidth") shouldBe 390L
                }
            }
        }
        browser.complaints()
    }

    private fun open(path: String, width: Int = 1280, dark: Boolean = false) {
        browser.complaints()
        browser.visit("http://127.0.0.1:${server.port}$path", width, dark)
    }

    private fun rows() = browser.value("Array.from(document.querySelectorAll('.run .name a')).map(a => a.textContent)")
        .let { names -> (names as List<*>).map { "$it" } }

    companion object {
        private const val BACKGROUND = "getComputedStyle(document.body).backgroundColor"
    }
}
