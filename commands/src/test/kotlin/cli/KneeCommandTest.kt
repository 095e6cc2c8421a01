package threadgauge.cli

import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.walk
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.TrialState

@Tag("processes")
class KneeCommandTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `Ctrl-C stops everything, the probes so far are reported, and the search can be repeated in place`() {
        val command = CommandLine(folder)
        val run = command.start("knee", *CAPPED_KNEE)
        run.awaitOutput(" users ")
        val family = run.family()
        run.signal("INT")
        run.await().exitCode shouldBe ExitCode.INTERRUPTED.number
        awaitAllGone(family)
        run.record().let { it.state shouldBe RunState.INTERRUPTED; it.trials.single().probes.shouldNotBeEmpty() }
        run.out shouldContain "Cannot tell up to which rate"
        run.recordFolder().path.resolve("report.html").readText() shouldContain "Interrupted."

        val resumed = command.run("run", "--resume", run.recordFolder().path.toString())
        // Whether a knee is found beside other work is the machine's affair: KneeFoundCommandTest has it to itself.
        resumed.exitCode shouldBeIn listOf(ExitCode.DONE, ExitCode.CANNOT_TELL).map { it.number }
        val after = run.record()
        after.state shouldBe RunState.COMPLETE
        after.resumed.single().thrownAway.single().state shouldBe TrialState.INTERRUPTED
        val histograms = run.recordFolder().path.walk().filter { it.extension == "hlog" }.map { it.name }.toSet()
        histograms shouldBe after.trials.single().probes.map { it.sample.hlog.substringAfterLast('/') }.toSet()
    }

    @Test
    fun `all mistakes of a command line are reported at once, and nothing is started`() {
        val run = CommandLine(folder)
            .run("knee", "no-such-thing", "--slo", "p98<1s", "--from", "5", "--to", "1/s", "--probes", "2")
        run.exitCode shouldBe ExitCode.USAGE.number
        listOf(
            "no-such-thing", "--slo:1:1: there is no measure \"p98\"", "--from", "--to: the highest rate", "--probes",
        )
            .forEach { run.err shouldContain it }
        Files.exists(folder.resolve("results")) shouldBe false
    }
}
