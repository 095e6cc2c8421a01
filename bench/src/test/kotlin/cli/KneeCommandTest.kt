package threadgauge.cli

import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.judgeKnee
import threadgauge.model.KneeOutcome
import threadgauge.model.RunState
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readText

@Tag("processes")
@Tag("commands")
@Tag("ports")
class KneeCommandTest {
    @TempDir
    lateinit var folder: Path

    private val capped = "{java} ${CommandLine.projectRoot}/benchmarks/knee/CappedServer.java {port} 500"

    /** Short probes and a goal that hiccups of the machine do not break: 5 % above the cap the median passes 20 ms within a second. */
    private val quick = arrayOf("--slo", "p50<20ms", "--probe", "1s", "--probes", "9", "--path", "/")

    @Test
    fun `the knee of a server that is capped at 500 per second is found, recorded and reported`() {
        val command = CommandLine(folder)
        val run = command.run("knee", capped, *quick, "--want", "2000/s")
        run.exitCode shouldBe ExitCode.DONE.number
        val record = run.record()
        val judgement = judgeKnee(record)
        judgement.outcome shouldBe KneeOutcome.FOUND
        (judgement.knee.shouldNotBeNull().perSecond in 400.0..575.0) shouldBe true
        run.out shouldContain "CappedServer keeps p50<20ms up to"
        run.out shouldContain "For 2,000/s with 30% head-room"
        val home = run.recordFolder().path
        judgement.probes.forEach { Files.isRegularFile(home.resolve(it.hlog)) shouldBe true }
        home.resolve("report.html").readText() shouldContain "Throughput against concurrency"
        // The report is a function of the record alone.
        val again = command.run("report", home.toString())
        again.exitCode shouldBe ExitCode.DONE.number
        again.out shouldContain judgement.words.substringBefore(" keeps")
        again.out shouldContain "probes with Poisson arrivals"
    }

    @Test
    fun `Ctrl-C stops everything, and what was seen is recorded and reported`() {
        val run = CommandLine(folder).start("knee", capped, *quick)
        run.awaitOutput("at a time")
        val family = run.family()
        run.signal("INT")
        run.await().exitCode shouldBe ExitCode.INTERRUPTED.number
        awaitAllGone(family)
        run.record().let { it.state shouldBe RunState.INTERRUPTED; it.repeats.single().probes.shouldNotBeEmpty() }
        run.out shouldContain "Too little was seen to say"
        run.recordFolder().path.resolve("report.html").readText() shouldContain "Interrupted."
    }

    @Test
    fun `all mistakes of a command line are told at once, and nothing is started`() {
        val run = CommandLine(folder).run("knee", "no-such-thing", "--slo", "p98<1s", "--from", "5", "--to", "1/s", "--probes", "2")
        run.exitCode shouldBe ExitCode.USAGE.number
        listOf("no-such-thing", "--slo:1:1: there is no measure \"p98\"", "--from", "--to: the highest rate", "--probes")
            .forEach { run.err shouldContain it }
        Files.exists(folder.resolve("results")) shouldBe false
    }
}
