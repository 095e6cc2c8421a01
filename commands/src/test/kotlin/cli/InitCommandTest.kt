package threadgauge.cli

import io.kotest.assertions.withClue
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.net.URI
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.runs
import threadgauge.target.TinyService

/** From a service to a first answer: `init`, the file that it writes, and a run that somebody else reads meanwhile. */
@Tag("processes")
class InitCommandTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `the file that is written for a service with a document runs, and asks what the document says`() {
        service(DOCUMENT)
        val init = commandLine.run("init", "./shop.sh", "--out", "shop.yaml")
        withClue(init.out + init.err) { init.exitCode shouldBe 0 }
        init.out shouldContain "Its OpenAPI document is at /v3/api-docs."
        awaitNoneLeft()
        val run = commandLine.run("run", "${shortened("shop.yaml")}", "--quick", "--no-causes")
        withClue(run.out + run.err) { run.exitCode shouldBe 0 }
        val record = run.record()
        record.state shouldBe RunState.COMPLETE
        val sample = record.trials.single().samples.single()
        sample.counts.failed shouldBe 0
        sample.scenarios.single().steps.single().answered shouldBeGreaterThan 0
        awaitNoneLeft()
    }

    @Test
    fun `a service without a document gets a plain file, and one that does not start gets none`() {
        service("no document")
        val init = commandLine.run("init", "./shop.sh")
        init.exitCode shouldBe 0
        init.out shouldContain "No OpenAPI document was found."
        folder.resolve("experiment.yaml").readText() shouldContain "- {name: mine, command: \"./shop.sh\"}"
        val again = commandLine.run("init", "./shop.sh")
        again.exitCode shouldBe ExitCode.USAGE.number
        val broken = commandLine.run("init", "sh -c 'echo no database; exit 3'", "--out", "broken.yaml")
        broken.exitCode shouldBe ExitCode.UNAVAILABLE.number
        broken.err shouldContain "no database"
        folder.resolve("broken.yaml").exists().shouldBeFalse()
        awaitNoneLeft()
    }

    @Test
    fun `figures are read while a run goes on, and their page ends with it`() {
        val file = commandLine.experiment(load = "{users: 5, for: 60s}")
        val run = commandLine.start("run", "$file", "--prometheus", "0", "--no-causes")
        run.awaitOutput("Figures for Prometheus: ")
        val address = URI(run.err.substringAfter("Figures for Prometheus: ").lines().first().trim())
        val answered = eventually({ "requests on the page" }) {
            ANSWERED.find(address.toURL().readText())?.groupValues?.get(1)?.toDouble()?.toLong()?.takeIf { it > 0 }
        }
        answered shouldBeGreaterThan 0
        run.signal("INT")
        run.await()
        run.exitCode shouldBe ExitCode.INTERRUPTED.number
        runCatching { address.toURL().readText() }.isSuccess.shouldBeFalse()
    }

    /** A program that answers everything with [body]. */
    private fun service(body: String) {
        folder.resolve("body").writeText(body)
        val command = TinyService.command("0:*:@body").joinToString(" ") { "'$it'" }
        folder.resolve("shop.sh").also { it.writeText("#!/bin/sh\nexec $command\n") }.toFile().setExecutable(true)
    }

    /** As whoever edits it would, for a first look. */
    private fun shortened(name: String): Path = folder.resolve(name).also {
        val text = it.readText().replace("for: 20s", "for: 2s").replace(THINK, "{think: 10ms}")
        it.writeText("$text\nwarm-up: {budget: 1s, load: 200ms, pause: 0s}\n")
    }

    private fun awaitNoneLeft() = eventually({ "the end of the service" }, seconds = 60) {
        val isLeft = ProcessHandle.allProcesses().anyMatch { "0:*:@body" in commandOf(it) && runs(it) }
        Unit.takeIf { !isLeft }
    }

    private companion object {
        val THINK = Regex("""\{think: \d+ms}""")
        val ANSWERED = Regex("""(?m)^threadgauge_requests_answered_total\{.*} ([0-9.]+)""")
        const val DOCUMENT = """{"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "paths": {
            "/items": {"get": {"operationId": "items", "responses": {"200": {"description": "all"}}}}}}"""
    }
}
