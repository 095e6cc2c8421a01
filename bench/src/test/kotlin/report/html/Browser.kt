package threadgauge.report.html

import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.logging.Level
import org.openqa.selenium.By
import org.openqa.selenium.chrome.ChromeDriver
import org.openqa.selenium.chrome.ChromeDriverService
import org.openqa.selenium.chrome.ChromeOptions
import org.openqa.selenium.logging.LogType
import org.openqa.selenium.logging.LoggingPreferences

/** The system's Chromium without a window, with an empty profile of its own and nothing of its own to send. */
class Browser : AutoCloseable {
    private val profile: Path = Files.createTempDirectory("threadgauge-browser")
    private val driver: ChromeDriver

    init {
        val options = ChromeOptions().setBinary(CHROMIUM.toString()).addArguments(
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--window-size=1280,900",
            "--user-data-dir=$profile",
        )
        options.setCapability("goog:loggingPrefs", LoggingPreferences().apply { enable(LogType.BROWSER, Level.ALL) })
        val service = ChromeDriverService.Builder().usingDriverExecutable(CHROMEDRIVER.toFile()).usingAnyFreePort()
            .withSilent(true).build()
        driver = ChromeDriver(service, options)
        driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(90))
    }

    /** Opens [html] from a file, as a double click does, in a page of [width] by 900. */
    fun open(html: String, width: Int = 1280, dark: Boolean = false) {
        visit(Files.writeString(profile.resolve("report.html"), html).toUri().toString(), width, dark)
    }

    /** Opens [place] in a page of [width] by 900. */
    fun visit(place: String, width: Int, dark: Boolean = false) {
        width(width)
        medium("", dark)
        visit(place)
    }

    /** Makes the page [pixels] wide. */
    fun width(pixels: Int) {
        command(
            "Emulation.setDeviceMetricsOverride",
            mapOf("width" to pixels, "height" to 900, "deviceScaleFactor" to 1, "mobile" to (pixels < 600)),
        )
    }

    fun visit(place: String) = driver.get(place)

    /** The text that a reader sees of the first element that [css] finds. */
    fun text(css: String): String = driver.findElement(By.cssSelector(css)).text

    /** Renders for [name], "screen" or "print", as a system with a light or dark theme does. */
    fun medium(name: String, dark: Boolean = false) {
        val theme = mapOf("name" to "prefers-color-scheme", "value" to if (dark) "dark" else "light")
        command("Emulation.setEmulatedMedia", mapOf("media" to name, "features" to listOf(theme)))
    }

    private fun command(name: String, parameters: Map<String, Any>): Map<String, Any> =
        driver.executeCdpCommand(name, parameters)

    /** The value of a JavaScript expression. */
    fun value(expression: String): Any? = driver.executeScript("return $expression")

    fun run(script: String) {
        driver.executeScript(script)
    }

    fun click(css: String) = driver.findElement(By.cssSelector(css)).click()

    fun press(vararg keys: CharSequence) = driver.switchTo().activeElement().sendKeys(*keys)

    /**
     * Waits until a JavaScript expression is true; fails after a minute, because a machine with much else to do draws
     * late.
     */
    fun await(expression: String) {
        val became = driver.executeAsyncScript(
            "const done = arguments[0], end = Date.now() + 60000;" +
                "(function look() {" +
                " if ($expression) done(true); else if (Date.now() > end) done(false); else setTimeout(look, 10); })()",
        )
        check(became == true) { "never true: $expression" }
    }

    /** What the page and the browser complained of since it was opened. */
    fun complaints(): List<String> = driver.manage().logs().get(LogType.BROWSER).all.map { it.message }

    override fun close() {
        driver.quit()
        profile.toFile().deleteRecursively()
    }

    companion object {
        private val CHROMIUM = Path.of("/usr/bin/chromium")
        private val CHROMEDRIVER = Path.of("/usr/bin/chromedriver")

        val present: Boolean get() = Files.isExecutable(CHROMIUM) && Files.isExecutable(CHROMEDRIVER)
    }
}
