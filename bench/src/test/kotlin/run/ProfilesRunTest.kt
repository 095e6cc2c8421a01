package threadgauge.run

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.exists
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.RunState
import threadgauge.model.TrialState
import threadgauge.model.plan.Plan
import threadgauge.model.profile.ProfilePart

/** Real processes that are profiled after they were measured. */
@Tag("processes")
class ProfilesRunTest {
    @TempDir
    lateinit var temporary: Path

    private val block by lazy { TinyBlock(temporary) }

    /** Long enough in one of two situations: two stacks in the first block, one in the second. */
    private val plan: Plan by lazy {
        val plan = block.planOf(listOf("a", "b").map { block.stackOf(it) }, ROUNDS, trials = 2, isShort = true)
        plan.copy(trials = plan.trials.filter { it.number == 1 || it.stack == "a" })
    }

    /** The first trial of one stack alone. */
    private val short: Plan by lazy {
        val plan = block.planOf(listOf(block.stackOf("a")), ROUNDS, isShort = true)
        plan.copy(rounds = null)
    }

    @Test
    fun `each process of the first block has a profile of every load that is long enough`() {
        val events = ArrayList<RunEvent>()
        val record = block.run(plan, hear = events::add)
        record.state shouldBe RunState.COMPLETE
        val (first, second) = record.trials.partition { it.number == 1 }
        second.single().profiles.shouldBeEmpty()
        second.single().rehearsal.shouldBeNull()
        first shouldHaveSize 2
        for (trial in first) {
            val rehearsal = trial.rehearsal.shouldNotBeNull()
            rehearsal.rssBytes shouldBeGreaterThan 1_000_000
            // Until its window, and the window.
            rehearsal.tookMillis shouldBeGreaterThan 1_000.0
            val profile = trial.profiles.single()
            profile.situation shouldBe "steady"
            profile.gaps.shouldBeEmpty()
            profile.java shouldBe Runtime.version().feature()
            profile.windowMillis.shouldBeBetween(1_000.0, 1_200.0, 0.0)
            profile.tookMillis shouldBeGreaterThan 2_000.0
            profile.atMillis shouldBeGreaterThan trial.slices.maxOf { it.atMillis + it.windowMillis }
            profile.answered shouldBeGreaterThan 0
            profile.meanMicros shouldBeGreaterThan 0.0
            profile.threads.any { !it.isOfJvm && it.cpuMillis > 0 } shouldBe true
            profile.seen.forEach { it.trace.let(profile.traces::get) }
        }
        val measured = events.indexOfLast { it is RunEvent.Measured && it.planned.number == 1 }
        val profiled = events.filterIsInstance<RunEvent.Profiling>()
        profiled.map { it.planned.stack to it.situation }.sortedBy { it.first } shouldContainExactly
            listOf("a" to "steady", "b" to "steady")
        (events.indexOf(profiled.first()) > measured) shouldBe true
        block.record.profiling.exists() shouldBe false
        block.record.read() shouldBe record
    }

    @Test
    fun `a process that ends while it is profiled keeps what was measured`() {
        val record = block.run(short) { if (it is RunEvent.Profiling) block.kill("a") }
        record.state shouldBe RunState.COMPLETE
        val trial = record.trials.single()
        trial.state shouldBe TrialState.MEASURED
        trial.samples shouldHaveSize 2
        trial.profiles.single().gaps.map { it.what } shouldContain ProfilePart.JVM
        block.record.profiling.exists() shouldBe false
    }

    @Test
    fun `a run that is interrupted while it looks for causes ends at once`() {
        val record = block.run(short) { if (it is RunEvent.Profiling) block.cancellation.cancel() }
        record.state shouldBe RunState.INTERRUPTED
        record.trials.flatMap { it.profiles }.shouldBeEmpty()
        block.left().shouldBeEmpty()
        block.record.profiling.exists() shouldBe false
    }

    private companion object {
        /** Of 0.2 s each: just enough for a profile. */
        const val ROUNDS = 11
    }
}
