package threadgauge.run

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Pause
import threadgauge.probe.MachineProbe
import threadgauge.report.exampleRecord
import threadgauge.store.RecordFolder
import threadgauge.store.RecordWriter
import threadgauge.target.Cores

class PauseWatchTest {
    @TempDir
    lateinit var temporary: Path

    private var nanos = 0L
    private var wallMillis = 0L
    private val watch = PauseWatch({ nanos }, { wallMillis })
    private val told = ArrayList<RunEvent>()

    private val context by lazy {
        val begun = exampleRecord().copy(trials = emptyList())
        val writer = RecordWriter(RecordFolder(temporary.resolve("run")).create(), begun)
        val cores = Cores(emptyList(), emptyList())
        RunContext(
            begun.plan, RecordFolder(temporary), writer, cores, MachineProbe(), Cancellation(), told::add, watch,
        )
    }

    @Test
    fun `a sleeping machine stops one clock, and a stopped process misses both`() {
        pass(500)
        watch.longestNanos() shouldBe 500 * MILLI
        wallMillis += 3_600_000 // The machine slept for an hour.
        watch.longestNanos() shouldBe 3_600_000 * MILLI
        watch.begin()
        watch.longestNanos() shouldBe 0
        wallMillis -= 3_600_000 // The wall clock was set back.
        pass(1_500)
        watch.longestNanos() shouldBe 1_500 * MILLI
    }

    @Test
    fun `a disturbed measurement is repeated, and the pause reported`() {
        var times = 0
        context.undisturbed(MeasuredPart(3, "wait", round = 2)) {
            looked(900)
            if (++times == 1) pass(7_000)
            times
        } shouldBe 2
        val pause = context.writer.record.pauses.single()
        pause.copy(atMillis = 0.0) shouldBe Pause(0.0, 7_000.0, 3, "wait", 2, null, isMeasuredAnew = true)
        told shouldContainExactly listOf(RunEvent.Paused(pause))
    }

    @Test
    fun `after three disturbed attempts the last measurement is kept`() {
        var times = 0
        context.undisturbed(MeasuredPart(1, "wait", stack = "shop")) { pass(2_000); ++times } shouldBe 3
        context.writer.record.pauses.map { it.isMeasuredAnew } shouldContainExactly listOf(true, true, false)
    }

    @Test
    fun `a load that cannot be repeated is kept, and short delays are no pauses`() {
        var times = 0
        context.undisturbed(MeasuredPart(1, "wait", isRepeatable = false)) { pass(2_000); ++times } shouldBe 1
        context.writer.record.pauses.single().isMeasuredAnew shouldBe false
        told.clear()
        context.undisturbed(MeasuredPart(1, "wait")) { looked(999) }
        told.shouldBeEmpty()
    }

    private fun pass(millis: Long) {
        nanos += millis * MILLI
        wallMillis += millis
    }

    private fun looked(millis: Long) = pass(millis).also { watch.look() }
}

private const val MILLI = 1_000_000L
