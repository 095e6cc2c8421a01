package threadgauge.cli.progress

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.DoubtLimits
import threadgauge.report.exampleRecord
import threadgauge.run.RunEvent

class ProgressTest {
    @Test
    fun `who begins on a machine that is at work is told so before anything is measured`() {
        told(busy = 0.68) shouldContain "Other programs use 68 % of the CPU time"
        told(busy = DoubtLimits.BUSY_BEFORE) shouldNotContain "Other programs"
        told(busy = null) shouldNotContain "Other programs"
    }

    @Test
    fun `what is kept of a run that is carried on is told`() {
        told(busy = null, kept = 7) shouldContain "Resumed: 7 of 20 processes were measured before and are kept."
    }

    @Test
    fun `where nothing is printed for long, what is going on is`() {
        val lines = ArrayList<String>()
        var now = 0L
        PlainProgress(silenceNanos = 30, nanos = { now }, print = lines::add).use { progress ->
            val planned = exampleRecord().plan.trials.first()
            progress.hear(RunEvent.Measuring(planned, "hello", second = 7, of = 2, failed = 3))
            now = 29
            progress.look()
            lines.shouldBeEmpty()
            now = 30
            progress.look()
            lines.single() shouldContain "measuring hello, second 7 of 2, 3 failed"
            now = 59
            progress.look()
            lines shouldHaveSize 1
        }
    }

    @Test
    fun `a look for causes is shown while it goes on, and leaves no line`() {
        val lines = ArrayList<String>()
        PlainProgress(silenceNanos = 0, nanos = { 0 }, print = lines::add).use { progress ->
            progress.hear(RunEvent.Profiling(exampleRecord().plan.trials.first().copy(stack = "spring-mvc"), "block"))
            lines.shouldBeEmpty()
            progress.look()
            lines.single() shouldContain "looking for causes: spring-mvc, block"
        }
    }

    private fun told(busy: Double?, kept: Int = 0): String {
        val lines = ArrayList<String>()
        PlainProgress(print = lines::add)
            .hear(RunEvent.Planned(exampleRecord().plan, Path.of("results/x"), 3.minutes, kept, busy))
        lines shouldHaveSize 1
        return lines.single()
    }
}
