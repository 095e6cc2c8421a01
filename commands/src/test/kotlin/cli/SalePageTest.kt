package threadgauge.cli

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledIf
import org.junit.jupiter.api.io.TempDir
import threadgauge.report.html.Browser
import threadgauge.target.Target

/** The page of the ticket sale in a browser. Skipped if Chromium or its driver is not installed. */
@Tag("browser")
@EnabledIf("threadgauge.cli.SalePageTest#chromiumIsInstalled", disabledReason = "Chromium or its driver is missing")
class SalePageTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `seats are reserved, confirmed and released by hand, and the page shows the seats left`() {
        val command = CommandLine(folder).start("tickets", "--port", "${Target.freePort()}", "--capacity", "5")
        command.awaitOutput("Ctrl-C ends it")
        Browser().use { page ->
            page.visit(Regex("http://127\\.0\\.0\\.1:\\d+/\\?event=\\d+").find(command.out)!!.value)
            page.await("document.getElementById('remaining').textContent === '5'")
            page.text("#state") shouldBe "On sale."

            page.click("#reserve button")
            page.await("document.querySelectorAll('#mine li').length === 1")
            page.text("#mine .what") shouldContain "2 of event"
            page.text("#mine .what") shouldContain "held until"
            page.await(
                "document.getElementById('remaining').textContent === '3' && " +
                    "document.getElementById('held').textContent === '2'",
            )

            page.click("#mine li:first-child button:nth-of-type(1)")
            page.await("document.querySelector('#mine .what').textContent.endsWith('confirmed')")
            page.await("document.getElementById('confirmed').textContent === '2'")

            // Two more, which are released.
            page.click("#reserve button")
            page.await("document.querySelectorAll('#mine li').length === 2")
            page.click("#mine li:first-child button:nth-of-type(2)")
            page.await("document.querySelector('#mine .what').textContent.endsWith('released')")
            page.await("document.getElementById('remaining').textContent === '3'")

            page.run("document.getElementById('quantity').value = 4")
            page.click("#reserve button")
            page.await("document.getElementById('said').textContent === 'There are 3 seats left.'")
            page.run("document.getElementById('quantity').value = 3")
            page.click("#reserve button")
            page.await("document.getElementById('state').textContent === 'Sold out.'")
            page.await("document.querySelector('#granted td:nth-of-type(2)').textContent === '3'")
            page.value("document.querySelector('#tooFew td:nth-of-type(2)').textContent") shouldBe "1"
            page.complaints().filterNot { "409" in it }.shouldBeEmpty()
        }
        command.signal("INT")
        command.await()
        command.exitCode shouldBe 0
    }

    companion object {
        @JvmStatic
        fun chromiumIsInstalled() = Browser.present
    }
}
