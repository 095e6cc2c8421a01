package threadgauge.report.html

import io.kotest.matchers.shouldBe
import kotlinx.html.p
import kotlinx.html.stream.createHTML
import org.junit.jupiter.api.Test

class ProseTest {
    @Test
    fun `what stands between backticks is code`() {
        shown("Use `rest: 20s` or `ulimit -n`.") shouldBe
            "<p>Use <code>rest: 20s</code> or <code>ulimit -n</code>.</p>"
        shown("`a < b`") shouldBe "<p><code>a &lt; b</code></p>"
    }

    @Test
    fun `all else stays, and a number keeps its unit`() {
        shown("A single ` of 20 ms") shouldBe "<p>A single ` of 20\u00A0ms</p>"
        shown("Wait for 20 ms, or `20 ms`") shouldBe "<p>Wait for 20\u00A0ms, or <code>20 ms</code></p>"
    }

    private fun shown(text: String) = createHTML(prettyPrint = false).p { prose(text) }
}
