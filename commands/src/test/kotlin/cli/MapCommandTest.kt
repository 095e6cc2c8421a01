package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.Trial

@Tag("processes")
class MapCommandTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `a small map of two real stacks has places, a picture and a report, and Ctrl-C keeps what was found`() {
        val command = CommandLine(folder)
        val run = command.start(
            "map", "ktor-netty", "spring-mvc", "--budget", "10m", "--users", "2..8", "--work", "1..4", "--json",
        )
        eventually({ "a place of the map; it said\n${run.out}\n${run.err}" }) {
            runCatching { run.record() }.getOrNull()?.takeIf { it.trials.size == 2 && it.trials.all(Trial::hasPlaces) }
        }
        val family = run.family()
        run.signal("INT")
        val ended = run.await()
        withClue(ended.err) { ended.exitCode shouldBeIn listOf(ExitCode.INTERRUPTED, ExitCode.DONE).map { it.number } }
        awaitAllGone(family)
        val record = run.record()
        record.state shouldBeIn listOf(RunState.INTERRUPTED, RunState.COMPLETE)
        record.trials.forEach { it.slices.shouldNotBeEmpty() }
        ended.out shouldContain "\"findings\""
        val shown = run.recordFolder().path
        shown.resolve("map.svg").readText() shouldContain "<svg"
        Regex("href=\"#place-\\d+-\\d+\"").containsMatchIn(shown.resolve("report.html").readText()) shouldBe true
        // The report can be made again.
        Files.delete(shown.resolve("report.html"))
        command.run("report", "$shown").exitCode shouldBe ExitCode.DONE.number
        shown.resolve("report.html").exists() shouldBe true
        // A map is refined as it was drawn.
        val other = command.run("map", "--resume", "$shown", "--users", "1..9")
        other.exitCode shouldBe ExitCode.USAGE.number
        other.err shouldContain "--resume refines a map as it was drawn"
        val placed = command.run("map", "--place", "ktor-netty", "--path", "/delay/2", "--users", "4")
        withClue(placed.err) { placed.exitCode shouldBe ExitCode.DONE.number }
        placed.out shouldContain "GET /delay/2 of Ktor on Netty"
        placed.out shouldContain "Spring MVC"
        val last = placed.out.lines().first { it.startsWith("Report, with the picture: ") }
        val page = Path.of(last.substringAfter(": ").trim())
        folder.resolve(page).readText() shouldContain "class=\"map-mark\""
        // Its record can be placed again, without being measured.
        val again = command.run("map", "--place", "${page.parent}", "--on", "$shown", "--json")
        again.exitCode shouldBe ExitCode.DONE.number
        again.out shouldContain "\"placements\""
    }

    @Test
    fun `a map of fan-outs has the backend, and stacks of two models make the same calls each in its way`() {
        val run = CommandLine(folder).start(
            "map", "ktor-netty", "spring-mvc", "--sheet", "fan-out", "--budget", "10m", "--users", "2..8",
            "--work", "1..5",
        )
        eventually({ "a place of the map; it said\n${run.out}\n${run.err}" }) {
            runCatching { run.record() }.getOrNull()?.takeIf { it.trials.size == 2 && it.trials.all(Trial::hasPlaces) }
        }
        val family = run.family()
        run.signal("INT")
        run.await()
        awaitAllGone(family)
        val record = run.record()
        record.plan.services.map { it.name } shouldContain "upstream"
        record.trials.flatMap { it.slices }.forEach { slice ->
            withClue(slice) {
                slice.situation shouldContain "fan-out-"
                slice.counts.failed shouldBe 0
                // Each call takes 50 ms, and all of a request are made at a time.
                slice.latency.p50Micros.shouldBeBetween(50_000.0, 10 * 50_000.0, 0.0)
            }
        }
    }

    @Test
    fun `a service without a map, options without a service, and a record of something else are refused`() {
        val command = CommandLine(folder)
        val none = command.run("map", "--place", "ktor-netty")
        none.exitCode shouldBe ExitCode.USAGE.number
        none.err shouldContain "there is no map in results"
        command.run("map", "--path", "/orders").err shouldContain "--path and --on are about a service: add --place"
        command.run("map", "--place", "ktor-netty", "--sheet", "wait").err shouldContain
            "--place asks a map that exists"
        command.run("map", "--place", "ktor-netty", "--on", "nowhere").exitCode shouldBe ExitCode.BAD_FILE.number
        Files.exists(folder.resolve("results")) shouldBe false
    }

    @Test
    fun `all mistakes of a command line are reported at once, and nothing is started`() {
        val run = CommandLine(folder).run("map", "no-such-stack", "--budget", "5s", "--users", "7", "--sheet", "sleep")
        run.exitCode shouldBe ExitCode.USAGE.number
        listOf("no-such-stack", "--budget", "--users: \"7\" is no range", "--sheet")
            .forEach { run.err shouldContain it }
        Files.exists(folder.resolve("results")) shouldBe false
    }
}

private val Trial.hasPlaces get() = slices.isNotEmpty()
