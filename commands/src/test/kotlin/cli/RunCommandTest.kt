package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.deleteExisting
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.HdrHistogram.Histogram
import org.HdrHistogram.HistogramLogReader
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.TrialState

/** A whole run on a real server, at reduced size. */
@Tag("processes")
class RunCommandTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `a run ends with one JSON document, a record, logs, histograms and a report, and rebuilds them`() {
        val run = commandLine.run("run", commandLine.experiment().toString(), "--json")
        run.exitCode shouldBe 0
        val cell = cellOf(Json.parseToJsonElement(run.out))
        for (figure in listOf(
            "throughput", "p50Millis", "p99Millis", "cpuMicrosPerRequest", "rssMegabytes", "threads", "bootMillis",
        )) {
            val value = cell[figure].shouldNotBeNull().jsonObject.getValue("value").jsonPrimitive.double
            value shouldBeGreaterThan 0.0
        }
        run.err shouldContain "started in"

        val record = run.record()
        record.state shouldBe RunState.COMPLETE
        val sample = record.trials.single().samples.single()
        sample.counts.sent shouldBe sample.counts.answered
        sample.seconds.sumOf { it.answered } shouldBe sample.counts.answered
        val histograms = HistogramLogReader(run.recordFolder().path.resolve(sample.hlog).toFile())
        var counted = 0L
        while (histograms.hasNext()) counted += (histograms.nextIntervalHistogram() as Histogram).totalCount
        counted shouldBe sample.latency.count

        val report = run.recordFolder().path.resolve("report.html")
        val before = report.readText()
        report.deleteExisting()
        commandLine.run("report", run.recordFolder().path.toString()).exitCode shouldBe 0
        report.readText() shouldBe before
    }

    @Test
    fun `a load of more connections than one process may open is shared by several agents`() {
        // 800 files minus the agent's own leave 300 connections for each.
        val run = commandLine.run("run", commandLine.experiment("{users: 350, for: 1s}").toString(), maxFiles = 800)
        run.exitCode shouldBe 0
        val record = run.record()
        record.environment.agents shouldBe 2
        val counts = record.trials.single().samples.single().counts
        counts.connectionsOpened shouldBe 350
        counts.answered shouldBe counts.sent
    }

    @Test
    fun `a stack with HTTP 2 over TLS, or with tokens, is measured as its option says`() =
        mustBeMeasured("ktor-netty+http2, ktor-netty+jwt")

    @Test
    fun `a stack with sessions, or with a login, is measured as its option says`() =
        mustBeMeasured("ktor-netty+sessions, ktor-netty+session-login")

    @Test
    fun `a stack starts from the archive of its training, and no archive is left`() {
        val cli = CommandLine(folder)
        val run = cli.run("run", cli.experiment(stack = "ktor-netty+shared-classes").toString())
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        run.out shouldContain Regex("ktor-netty\\+shared-classes has written an archive of [1-9]\\d* MB")
        val trial = run.record().trials.single()
        val archive = trial.command.single { "SharedArchiveFile" in it }.substringAfter('=')
        archive shouldContain "ktor-netty+shared-classes"
        Files.exists(Path.of(archive)) shouldBe false
        run.recordFolder().logs.resolve("ktor-netty+shared-classes-training.log")
            .readText() shouldContain "Application started"
    }

    private fun mustBeMeasured(stacks: String) {
        val cli = CommandLine(folder)
        val run = cli.run("run", cli.experiment(stack = stacks).toString())
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        for (trial in run.record().trials) withClue(trial.stack) {
            trial.state shouldBe TrialState.MEASURED
            val counts = trial.samples.single().counts
            (counts.answered > 0) shouldBe true
            counts.failures shouldBe emptyMap()
        }
    }

    @Test
    fun `mistakes in a file are reported all at once, with exit code 65, and nothing is started`() {
        val file = folder.resolve("bad.yaml")
        file.writeText("name: bad\nquestoin: x?\nstacks: [spring-mvx]\nrequest: GET /hello\nload: {users: 0, for: 5}\n")
        val run = commandLine.run("run", file.toString())
        run.exitCode shouldBe 65
        for (word in listOf(
            "questoin", "question", "spring-mvx", "spring-mvc", "users", "^",
        )) run.err shouldContain word
        run.out shouldBe ""
        Files.exists(folder.resolve("results")) shouldBe false
    }

    @Test
    fun `a wrong command line is a usage error, exit code 64, with the nearest spelling`() {
        val run = commandLine.run("run", "--quik")
        run.exitCode shouldBe 64
        run.err shouldContain "--quick"
        commandLine.run("rum").exitCode shouldBe 64
    }

    @Test
    fun `results that cannot be written end with exit code 74 and a remedy`() {
        folder.resolve("occupied").writeText("a file, not a folder")
        val run = commandLine.run("run", commandLine.experiment().toString(), "--out", "occupied/results")
        run.exitCode shouldBe 74
        run.err shouldContain "--out"
        run.err shouldNotContain "Exception in"
    }

    @Test
    fun `an invalid record is reported as such, with exit code 65`() {
        val run = commandLine.run("report", folder.toString())
        run.exitCode shouldBe 65
        run.err shouldContain "contains no record.json"
    }

    @Test
    fun `plain output has no colour and no progress line`() {
        val run = commandLine.run("list")
        run.exitCode shouldBe 0
        run.out shouldContain "spring-webflux"
        run.out.filter { it == '\u001b' }.toList().shouldBeEmpty()
    }

    private fun cellOf(document: JsonElement) =
        document.jsonObject.getValue("judgement").jsonObject.getValue("situations").jsonArray.single()
            .jsonObject.getValue("cells").jsonArray.single().jsonObject
}
