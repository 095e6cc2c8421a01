package threadgauge.cli

import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.TrialState

/** Runs that end too early, and are resumed. */
@Tag("processes")
class ResumeCommandTest {
    @TempDir
    lateinit var folder: Path

    private val commandLine get() = CommandLine(folder)

    @Test
    fun `after kill -9 in the second of three trials each is recorded once, and the first unchanged`() {
        val run = commandLine.start("run", commandLine.experiment().toString(), "--trials", "3")
        run.awaitOutput("2 of 3")
        val family = run.family()
        run.signal("KILL")
        run.await()
        awaitAllGone(family)
        val before = run.record()
        val log =
            run.recordFolder().logs.resolve("ktor-netty-2.log").also { it.writeText("of the process that was killed") }

        val resumed = commandLine.run("run", "--resume", run.recordFolder().path.toString())
        resumed.exitCode shouldBe 0
        resumed.out shouldContain "1 of 3 processes were measured before"
        resumed.out shouldContain "2 of 3  ktor-netty, trial 2"
        val after = resumed.record() // the one folder there is
        after.state shouldBe RunState.COMPLETE
        after.trials.map { it.stack to it.number } shouldBe before.plan.trials.map { it.stack to it.number }
        after.trials.map { it.state }.distinct() shouldBe listOf(TrialState.MEASURED)
        after.trials.first() shouldBe before.trials.first()
        after.trials.map { it.samples.single().atMillis }.also { it.shouldBeSorted() }.shouldBeUnique()
        after.trials.forEach { run.recordFolder().path.resolve(it.samples.single().hlog).exists() shouldBe true }
        after.resumed.single().let {
            it.stateBefore shouldBe RunState.RUNNING
            it.failureBefore.shouldBeNull()
            it.kept shouldBe 1
        }
        log.readText() shouldNotContain "of the process that was killed"

        val again = commandLine.run("run", "--resume", run.recordFolder().path.toString())
        again.exitCode shouldBe 65
        again.err shouldContain "This run is complete."
        run.record() shouldBe after
    }

    @Test
    fun `Ctrl-C ends a run with a record, a report and a hint, and only one process may resume it`() {
        val run = commandLine.start("run", commandLine.experiment().toString())
        run.awaitOutput("started in")
        val family = run.family()
        family.size shouldBeGreaterThan 3
        run.signal("INT")
        run.await().exitCode shouldBe 130
        awaitAllGone(family)
        run.record().state shouldBe RunState.INTERRUPTED
        run.record().trials.single().state shouldBe TrialState.INTERRUPTED
        run.err shouldContain "Interrupted"
        run.err shouldContain "run --resume results/tiny-"
        run.recordFolder().path.resolve("report.html").exists() shouldBe true

        val record = run.recordFolder().path.toAbsolutePath().toString()
        val resumed = commandLine.start("run", "--resume", record)
        resumed.awaitOutput("started in")
        val other = CommandLine(folder.resolve("elsewhere").createDirectories()).run("run", "--resume", record)
        other.exitCode shouldBe 69
        other.err shouldContain "is writing the record"
        resumed.await().exitCode shouldBe 0
        val after = run.record()
        after.trials.single().state shouldBe TrialState.MEASURED
        after.resumed.single().thrownAway.single().state shouldBe TrialState.INTERRUPTED
        val around = after.trials.single().samples.single().surroundings.shouldNotBeNull()
        if (Path.of("/proc/stat").exists()) {
            (around.referenceBeforeMicros.shouldNotBeNull() > 0) shouldBe true
            (around.referenceAfterMicros.shouldNotBeNull() > 0) shouldBe true
            (around.otherBusyShare.shouldNotBeNull() in 0.0..1.0) shouldBe true
            (around.maxOpenFiles.shouldNotBeNull() > 5) shouldBe true
            (around.swappedInPages.shouldNotBeNull() >= 0) shouldBe true
        }
    }

    @Test
    fun `a run is resumed as it was planned, or not at all`() {
        val file = commandLine.experiment().toString()
        for (more in listOf(
            listOf(file), listOf("--quick"), listOf("--seed", "1"), listOf("--trials", "2"), listOf("--out", "x"),
        )) {
            val wrong = commandLine.run(*(listOf("run", "--resume", "results/tiny") + more).toTypedArray())
            wrong.exitCode shouldBe 64
            wrong.err shouldContain "--resume continues a run as planned"
        }
        val none = commandLine.run("run", "--resume", folder.toString())
        none.exitCode shouldBe 65
        none.err shouldContain "contains no record.json"
        folder.resolve(".lock").exists() shouldBe false
    }
}
