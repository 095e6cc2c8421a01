package threadgauge.run.measure

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.map.judgeMap
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.TrialState
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet
import threadgauge.model.plan.Plan
import threadgauge.run.Cancellation
import threadgauge.run.Run
import threadgauge.run.RunEvent
import threadgauge.run.TinyBlock

/** Real processes that are alive together, and a map that is as small as one can be. */
@Tag("processes")
class MapRunTest {
    @TempDir
    lateinit var temporary: Path

    private val block by lazy { TinyBlock(temporary) }
    private val question = MapQuestion(
        MapSheet.WAIT, work = listOf(1, 2), users = listOf(2, 4), columnStride = 1, rowStride = 1,
        // So far from what equal servers differ by that nothing stays open.
        enough = 0.3, budgetNanos = 600_000_000_000,
    )

    @Test
    fun `each place is measured on every process in the same rounds, until nothing is left to look for`() {
        val places = ArrayList<String>()
        val record = block.run(plan(question)) { if (it is RunEvent.PlaceStarted) places += it.situation }
        record.state shouldBe RunState.COMPLETE
        val (a, b) = listOf("a", "b").map { record.measured(it) }
        a shouldBe b
        a.groupBy({ it.first }, { it.second }).values.forEach { it shouldBe (1..it.size).toList() }
        // Both answer at once, so all fit everywhere, or chance leaves some open for a time.
        a.map { it.first }.toSet() shouldBe question.placesByName().keys
        places.toSet() shouldBe question.placesByName().keys
        record.trials.forEach { trial ->
            trial.samples.shouldBeEmpty()
            trial.slices.forEach { it.rssBytesMax.shouldNotBeNull() }
        }
        val judged = judgeMap(record)
        judged.places.map { it.work to it.users } shouldContainExactly listOf(1 to 2, 1 to 4, 2 to 2, 2 to 4)
        judged.isComplete shouldBe true
        block.left().shouldBeEmpty()
    }

    @Test
    fun `the search ends when time is up, and when one process alone is left`() {
        val hasty = block.run(plan(question.copy(budgetNanos = 1)))
        hasty.state shouldBe RunState.COMPLETE
        hasty.measured("a").shouldBeEmpty()
        judgeMap(hasty).isComplete shouldBe false
        block.left().shouldBeEmpty()
    }

    @Test
    fun `a map that is resumed keeps its places, and goes on with fresh processes`() {
        val first = block.run(plan(question)) {
            if (it is RunEvent.PlaceStarted && it.place == 3) block.cancellation.cancel()
        }
        first.state shouldBe RunState.INTERRUPTED
        first.measured("a").shouldNotBeEmpty()
        val more = Run.resume(block.record, Cancellation(), {}, moreNanos = 500_000_000_000)
        more.state shouldBe RunState.COMPLETE
        more.plan.map?.budgetNanos shouldBe 500_000_000_000
        more.trials.filter { it.number == 1 }.flatMap { it.slices } shouldBe first.trials.flatMap { it.slices }
        more.trials.filter { it.number == 2 }.map { it.stack }.toSet() shouldBe setOf("a", "b")
        val judged = judgeMap(more)
        judged.places.size shouldBe 4
        judged.processes shouldBe 2
        judged.isComplete shouldBe true
        block.left().shouldBeEmpty()
    }

    @Test
    fun `a process that ends is out, and what was found before stays`() {
        val seen = ArrayList<RunEvent>()
        val record = block.run(plan(question)) {
            if (it is RunEvent.PlaceStarted && it.place == 3) block.kill("b")
            seen += it
        }
        record.state shouldBe RunState.COMPLETE
        record.trials.single { it.stack == "b" }.state shouldBe TrialState.FAILED
        record.trials.single { it.stack == "a" }.state shouldBe TrialState.MEASURED
        record.measured("b").shouldNotBeEmpty()
        judgeMap(record).places.shouldNotBeEmpty()
        block.left().shouldBeEmpty()
    }

    private fun Record.measured(stack: String): List<Pair<String, Int>> =
        trials.filter { it.stack == stack }.flatMap { trial -> trial.slices.map { it.situation to it.round } }
            .sortedWith(compareBy({ it.first }, { it.second }))

    private fun plan(question: MapQuestion): Plan {
        val plain = block.planOf(listOf("a", "b").map { block.stackOf(it) }, isShort = true)
        return plain.copy(map = question)
    }
}
