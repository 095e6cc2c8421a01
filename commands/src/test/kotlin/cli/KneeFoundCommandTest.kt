package threadgauge.cli

import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.api.parallel.Isolated
import threadgauge.judge.knee.judgeKnees
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.KneeOutcome

/**
 * Runs alone, because it is the only command test that checks a figure, which other loads on these cores change.
 */
@Tag("processes")
@Isolated
class KneeFoundCommandTest {
    @TempDir
    lateinit var folder: Path

    @Test
    fun `the knees of servers limited to 500 and 250 per second are found side by side, and compared`() {
        val command = CommandLine(folder)
        val run = command.run(
            "knee", *CAPPED_KNEE, "--name", "five", "--against", capped(250), "--against-name", "two",
            "--want", "2000/s",
        )
        run.exitCode shouldBe ExitCode.DONE.number
        val record = run.record()
        val (judgement, other) = judgeKnees(record).targets
        listOf(judgement, other).map { it.outcome } shouldBe listOf(KneeOutcome.FOUND, KneeOutcome.FOUND)
        // Other work of the machine takes CPU time from the server and never gives it any: a knee above the limit would
        // be wrong, one far below it comes from the machine. benchmarks/knee has the accuracy on a calm one.
        judgement.knee.shouldNotBeNull().perSecond.shouldBeBetween(200.0, 575.0, 0.0)
        other.knee.shouldNotBeNull().perSecond.shouldBeBetween(100.0, 288.0, 0.0)
        // Other work of the machine affects both alike: a server half as fast is still recognized.
        judgeKnees(record).comparisons.single().outcome shouldBe ComparisonOutcome.MORE
        run.out shouldContain Regex("five takes [1-4]\\.[0-9]+ times the rate of two")
        run.out shouldContain "five meets p50<20ms up to"
        run.out shouldContain "two meets p50<20ms up to"
        run.out shouldContain "For 2,000/s with 30 % headroom"
        val home = run.recordFolder().path
        judgement.probes.forEach { Files.isRegularFile(home.resolve(it.hlog)) shouldBe true }
        home.resolve("report.html").readText() shouldContain "five: throughput against concurrency"
        // The report is a function of the record alone.
        val again = command.run("report", home.toString())
        again.exitCode shouldBe ExitCode.DONE.number
        again.out shouldContain judgement.target
        again.out.replace(Regex("\\s+"), " ") shouldContain "probes with Poisson arrivals"
    }
}

/**
 * Short probes and a goal that short disturbances do not break: at 5 % above the limit the median passes 20 ms within
 * a second.
 */
internal val CAPPED_KNEE = arrayOf(
    capped(500), "--slo", "p50<20ms", "--probe", "1s", "--probes", "9", "--path", "/",
)

internal fun capped(perSecond: Int) =
    "{java} ${CommandLine.projectRoot}/benchmarks/knee/CappedServer.java {port} $perSecond"
