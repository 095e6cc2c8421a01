package threadgauge.report.html

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import org.openqa.selenium.Keys
import threadgauge.report.EXAMPLE_SITUATIONS
import threadgauge.report.EXAMPLE_VARIANTS
import threadgauge.report.Example
import threadgauge.report.exampleRecord
import threadgauge.report.format.number
import threadgauge.report.hostileJudgement
import threadgauge.report.hostileRecord

/** The report as a reader meets it. */
@InBrowser
class ReportInBrowserTest(private val browser: Browser) {
    @Test
    fun `no variant makes the browser complain`() {
        EXAMPLE_VARIANTS.keys.forEach { name ->
            browser.open(page(name))
            drawAll()
            (name to browser.complaints()) shouldBe (name to emptyList())
        }
    }

    @Test
    fun `names that contain script do not run`() {
        browser.open(Example(hostileRecord(), hostileJudgement()).html())
        browser.value("window.broken === undefined") shouldBe true
        browser.value("document.images.length") shouldBe 0L
        drawAll()
    }

    @Test
    fun `every chart is drawn`() {
        browser.open(usual)
        drawAll()
        browser.value("document.querySelectorAll('canvas[data-chart]').length") shouldBe 7L * EXAMPLE_SITUATIONS.size
        val canvases = "Array.from(document.querySelectorAll('canvas'))"
        browser.value("$canvases.filter(c => !inked(c)).map(c => c.dataset.chart)") shouldBe emptyList<String>()
    }

    @Test
    fun `lines stand at their own values and are not piled upon one another`() {
        browser.open(usual)
        drawAll()
        val highest =
            browser.value("Math.max(...$FIRST_CHART.data.datasets.flatMap(d => d.data.map(p => p.y)))") as Number
        val drawn = browser.value(
            "(c => Math.max(...c.data.datasets.flatMap((d, i) => " +
                "c.getDatasetMeta(i).data.map(e => c.scales.y.getValueForPixel(e.y)))))($FIRST_CHART)",
        ) as Number
        drawn.toDouble() shouldBe (highest.toDouble() plusOrMinus highest.toDouble() * 0.01)
    }

    @Test
    fun `the scale can be made logarithmic`() {
        browser.open(usual)
        drawAll()
        browser.click(".scale-switch")
        browser.value("$FIRST_CHART.options.scales.y.type") shouldBe "logarithmic"
        browser.complaints().shouldBeEmpty()
    }

    @Test
    fun `a stack can be hidden from the charts and shown again`() {
        browser.open(usual)
        drawAll()
        val before = browser.value("$FIRST_CHART.data.datasets.length") as Long
        browser.click(".key")
        browser.value("$FIRST_CHART.data.datasets.length") shouldBe before - 2
        browser.click(".key")
        browser.value("$FIRST_CHART.data.datasets.length") shouldBe before
    }

    @Test
    fun `choosing a trial changes charts and tables alike`() {
        browser.open(usual)
        drawAll()
        browser.run(
            "const s = document.querySelector('.seconds select'); s.value = '2'; s.dispatchEvent(new Event('change'))",
        )
        browser.value("document.querySelector('.seconds .shown-trial').textContent") shouldBe "trial 2"
        val answered =
            exampleRecord().trials.first { it.stack == "spring-mvc" && it.number == 2 }.samples[0].seconds[0].answered
        browser.value("$FIRST_CHART.data.datasets[0].data[0].y") shouldBe answered
        val cell = browser.value("document.querySelector('.seconds table').tBodies[0].rows[0].cells[2].textContent")
        cell shouldBe number(answered)
    }

    @Test
    fun `the theme follows the system until the reader chooses`() {
        browser.open(usual, dark = true)
        val dark = browser.value(BACKGROUND)
        browser.value("document.querySelector('#theme').getAttribute('aria-pressed')") shouldBe "true"
        browser.click("#theme")
        val light = browser.value(BACKGROUND)
        light shouldNotBe dark
        browser.value("document.querySelector('#theme').getAttribute('aria-pressed')") shouldBe "false"
        browser.run("try { localStorage.clear() } catch (forbidden) { }")
        browser.open(usual, dark = false)
        browser.value(BACKGROUND) shouldBe light
    }

    @Test
    fun `a phone never scrolls the page sideways`() {
        EXAMPLE_VARIANTS.keys.forEach { name ->
            browser.open(page(name), width = 390)
            browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
            drawAll()
            val wide = browser.value(wider("main *", except = ".scroll *, pre *, svg, .unseen, thead", than = 390))
            (name to wide) shouldBe (name to emptyList<String>())
            (name to browser.value("document.documentElement.scrollWidth")) shouldBe (name to 390L)
        }
    }

    @Test
    fun `the keyboard reaches the answer, the theme and the tables, and opens them`() {
        browser.open(usual)
        browser.press(Keys.TAB)
        browser.value("document.activeElement.className") shouldBe "skip"
        val reached = (1..8).map {
            browser.press(Keys.TAB)
            browser.value("document.activeElement.id || document.activeElement.tagName")
        }
        reached shouldContain "theme"
        browser.run("document.querySelector('.seconds select').focus()")
        browser.press(Keys.TAB)
        browser.value("document.activeElement.parentElement.className") shouldBe "tables"
        browser.press(Keys.ENTER)
        browser.value("document.querySelector('details.tables').open") shouldBe true
        browser.press(Keys.TAB)
        browser.value("document.activeElement.className") shouldBe "scroll"
    }

    @Test
    fun `the focus can be seen`() {
        browser.open(usual)
        browser.press(Keys.TAB)
        browser.value("getComputedStyle(document.activeElement).outlineStyle") shouldBe "solid"
    }

    @Test
    fun `text stands out from its background in both themes`() {
        listOf(false, true).forEach { dark ->
            browser.open(usual, dark = dark)
            @Suppress("UNCHECKED_CAST")
            (browser.value(FAINT_TEXT) as List<String>).shouldBeEmpty()
        }
    }

    @Test
    fun `print is light and shows what is folded on screen`() {
        browser.open(usual, dark = true)
        browser.medium("print", dark = true)
        browser.run("window.dispatchEvent(new Event('beforeprint'))")
        browser.value("document.querySelectorAll('details:not([open])').length") shouldBe 0L
        browser.value(BACKGROUND) shouldBe "rgb(255, 255, 255)"
        browser.run("window.dispatchEvent(new Event('afterprint'))")
        (browser.value("document.querySelectorAll('details:not([open])').length") as Long).toInt() shouldBeGreaterThan 0
    }

    @Test
    fun `which fits where is seen whole on a usual screen`() {
        browser.open(page("usual"), width = 1_200)
        val (table, room) = listOf("scrollWidth", "parentElement.clientWidth")
            .map { (browser.value("document.querySelector('.decisions').$it") as Long).toInt() }
        table shouldBeLessThanOrEqual room
    }

    @Test
    fun `no width of a window scrolls the page sideways`() {
        browser.open(usual)
        (505..1_400 step 30).forEach { width ->
            browser.width(width)
            val wide = browser.value(wider("main *", except = ".scroll *, pre *, svg, .unseen, thead", than = width))
            (width to wide) shouldBe (width to emptyList<String>())
        }
    }

    @Test
    fun `nothing is wider than a sheet of A4`() {
        listOf("usual", "twelve-stacks").forEach { name ->
            browser.open(page(name), width = A4_PIXELS)
            browser.medium("print")
            browser.run("window.dispatchEvent(new Event('beforeprint'))")
            val wide = browser.value(wider("main *", except = "svg, .unseen", than = A4_PIXELS))
            (name to wide) shouldBe (name to emptyList<String>())
        }
    }

    /** Charts are drawn when they come near the screen: go past all of them. */
    private fun drawAll() {
        browser.run("document.documentElement.style.scrollBehavior = 'auto'")
        browser.run(
            "window.inked = c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(part => part " +
                "!== 0)",
        )
        val canvases = (browser.value("document.querySelectorAll('canvas').length") as Long).toInt()
        (0 until canvases step 2).forEach { index ->
            browser.run("document.querySelectorAll('canvas')[$index].scrollIntoView()")
            browser.await("document.querySelectorAll('canvas')[$index].dataset.drawn === 'yes'")
        }
        browser.await("Array.from(document.querySelectorAll('canvas')).every(c => c.dataset.drawn === 'yes')")
    }

    companion object {
        private val usual get() = page("usual")

        private fun page(variant: String): String = EXAMPLE_VARIANTS.getValue(variant)().html()

        /** 210 mm less two margins of 14 mm, in the pixels of CSS. */
        private const val A4_PIXELS = 688

        private const val FIRST_CHART = "Chart.getChart(document.querySelector('canvas'))"
        private const val BACKGROUND = "getComputedStyle(document.body).backgroundColor"

        /** Elements that reach further to the right than the page is wide. */
        internal fun wider(css: String, except: String, than: Int) =
            "Array.from(document.querySelectorAll('$css'))" +
                ".filter(e => !e.matches('$except') && !e.closest('svg'))" +
                ".filter(e => e.getBoundingClientRect().right > ${than + 1})" +
                ".map(e => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 30)).slice(0, 8)"

        /** Text below the contrast of 4.5 to 1 that WCAG 2.2 asks for (success criterion 1.4.3). */
        internal const val FAINT_TEXT = """(() => {
            const rgb = c => c.match(/[\d.]+/g).map(Number);
            const linear = v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
            const light = c => {
                const [r, g, b] = rgb(c).map(v => linear(v / 255));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const back = e => {
                for (let at = e; at; at = at.parentElement) {
                    const c = getComputedStyle(at).backgroundColor;
                    if (rgb(c)[3] !== 0) return c;
                }
                return 'rgb(255,255,255)';
            };
            const hasText = e => Array.from(e.childNodes).some(n => n.nodeType === 3 && n.textContent.trim());
            const faint = [];
            for (const e of document.querySelectorAll('body *')) {
                if (e.closest('svg, script, canvas') || !hasText(e)) continue;
                const a = light(getComputedStyle(e).color), b = light(back(e));
                const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                const seen = [e.tagName, e.className, ratio.toFixed(2), e.textContent.slice(0, 20)];
                if (ratio < 4.5) faint.push(seen.join(' '));
            }
            return [...new Set(faint)].slice(0, 8);
        })()"""
    }
}
