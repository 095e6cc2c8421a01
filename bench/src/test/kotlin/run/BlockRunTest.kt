package threadgauge.run

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.Stack
import threadgauge.model.TrialState
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.model.plan.TurnsReason

/** Real processes that are alive together. */
@Tag("processes")
class BlockRunTest {
    @TempDir
    lateinit var temporary: Path

    private val block by lazy { TinyBlock(temporary) }

    @Test
    fun `each process is loaded in every round, and its slices add up to its samples`() {
        val record = run()
        record.state shouldBe RunState.COMPLETE
        record.trials shouldHaveSize 3
        record.roundsOf("a", "steady") shouldContainExactly (1..5).toList()
        record.roundsOf("a", "open") shouldHaveSize 3
        record.roundsOf("a", "burst") shouldContainExactly listOf(1)
        for (trial in record.trials) {
            trial.state shouldBe TrialState.MEASURED
            for (sample in trial.samples) {
                val slices = trial.slices.filter { it.situation == sample.situation }
                slices.map { it.round } shouldContainExactly record.roundsOf("a", sample.situation)
                slices.sumOf { it.answeredInWindow } shouldBe sample.answeredInWindow
                slices.sumOf { it.counts.sent } shouldBe sample.counts.sent
                slices.sumOf { it.counts.answered } shouldBe sample.latency.count
                sample.windowMillis shouldBe slices.sumOf { it.windowMillis }
            }
        }
        // All of a round before any of the next, and not always in the same order.
        val inTime = record.trials.flatMap { trial -> trial.slices.map { it to trial.stack } }
            .sortedBy { (slice, _) -> slice.atMillis }
        inTime.map { (slice, _) -> slice.round }.let { it shouldBe it.sorted() }
        val orders = inTime.filter { (slice, _) -> slice.situation == "steady" }
            .chunked(3) { round -> round.map { (_, stack) -> stack } }
        orders.distinct().size shouldBeGreaterThan 1
        block.left().shouldBeEmpty()
    }

    @Test
    fun `a process that ends between slices is out and keeps its slices, and the others go on`() {
        val record = run { if (it.isRound(3)) block.kill("b") }
        record.state shouldBe RunState.COMPLETE
        val dead = record.trials.single { it.stack == "b" }
        dead.state shouldBe TrialState.FAILED
        (dead.failure as Failure.Target).fault.shouldBeInstanceOf<TargetFault.Ended>()
        record.roundsOf("b", "steady") shouldContainExactly listOf(1, 2)
        record.trials.filter { it.stack != "b" }.forEach { trial ->
            trial.state shouldBe TrialState.MEASURED
            record.roundsOf(trial.stack, "steady") shouldContainExactly (1..5).toList()
        }
        block.left().shouldBeEmpty()
    }

    @Test
    fun `an interrupted block keeps every complete round`() {
        val record = run { if (it.isRound(3)) block.cancellation.cancel() }
        record.state shouldBe RunState.INTERRUPTED
        record.trials shouldHaveSize 3
        record.trials.forEach { trial ->
            trial.state shouldBe TrialState.INTERRUPTED
            record.roundsOf(trial.stack, "steady") shouldContainExactly listOf(1, 2)
            trial.samples.first().run { situation shouldBe "steady"; counts.answered shouldBeGreaterThan 0 }
        }
        block.left().shouldBeEmpty()
    }

    @Test
    fun `if one does not start beside the others, all are measured one after the other`() {
        val stacks = listOf("a", "b", "c").map { block.stackOf(it, if (it == "c") "nothing" else "0:*:ok") }
        val record = run(stacks)
        record.state shouldBe RunState.COMPLETE
        record.trials.single { it.stack == "c" }.run {
            state shouldBe TrialState.FAILED
            boot.shouldBeNull()
            slices.shouldBeEmpty()
        }
        record.inTurns shouldBe TurnsReason.Start("c", listOf("a", "b"))
        record.trials.filter { it.stack != "c" }.forEach {
            it.state shouldBe TrialState.MEASURED
            it.boot.shouldNotBeNull()
            it.slices.shouldBeEmpty()
            it.samples.map { sample -> sample.situation } shouldContainExactly listOf("steady", "open", "burst")
        }
        block.left().shouldBeEmpty()
    }

    private fun run(
        stacks: List<Stack> = listOf("a", "b", "c").map { block.stackOf(it) },
        hear: (RunEvent) -> Unit = {},
    ) = block.run(block.planOf(stacks), hear = hear)
}
