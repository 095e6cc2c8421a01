package threadgauge.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.exists
import kotlin.io.path.writeText
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.TrialState
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.UnfinishedTrial
import threadgauge.report.exampleRecord
import threadgauge.store.RecordFolder
import threadgauge.store.RecordInUse
import threadgauge.store.RecordLock
import threadgauge.store.millisSoFar
import threadgauge.wording.failure.words

class ResumeTest {
    @TempDir
    lateinit var temporary: Path

    private val builds = exampleRecord().plan.stacks.associate { it.name to "build of ${it.name}" }

    /** Interrupted in its second-last trial; the one before had failed. */
    private val before = exampleRecord(stacks = 2, trials = 3).let { whole ->
        val last = whole.trials.lastIndex
        whole.copy(
            state = RunState.INTERRUPTED, endedAt = "2026-11-21T12:30:00Z", builds = builds,
            trials = whole.trials.dropLast(1).mapIndexed { index, trial ->
                when (index) {
                    last - 1 -> trial.copy(state = TrialState.INTERRUPTED, samples = emptyList())
                    last - 2 -> trial.copy(state = TrialState.FAILED, failure = DIED, samples = emptyList())
                    else -> trial
                }
            },
        )
    }

    @Test
    fun `finished trials are kept unchanged, and the others remain in the plan's order`() {
        val after = carriedOn(before)
        val kept = before.trials.filter { it.state == TrialState.MEASURED }
        after.trials shouldBe kept
        val left = trialsLeft(after.plan, after.trials)
        val done = kept.map { it.stack to it.number }
        left.map { it.stack to it.number } shouldBe before.plan.trials.map { it.stack to it.number } - done.toSet()
        left.size shouldBe 3
        after.plan shouldBe before.plan
        after.startedAt shouldBe before.startedAt
        after.state shouldBe RunState.RUNNING
        after.endedAt shouldBe null
    }

    @Test
    fun `the record keeps why the run ended before, and which trials were discarded`() {
        val resumption = carriedOn(before).resumed.single()
        resumption.stateBefore shouldBe RunState.INTERRUPTED
        resumption.failureBefore shouldBe null
        resumption.kept shouldBe 3
        val dropped = before.trials.takeLast(2)
        resumption.thrownAway shouldBe dropped.map { UnfinishedTrial(it.stack, it.number, it.state, it.failure) }
        carriedOn(carriedOn(before))
            .resumed.map { it.stateBefore } shouldBe listOf(RunState.INTERRUPTED, RunState.RUNNING)
    }

    @Test
    fun `a complete run is not resumed`() {
        refused(exampleRecord()) shouldContain "This run is complete."
        val failed = before.copy(state = RunState.COMPLETE)
        refused(failed) shouldContain "is a result, too"
    }

    @Test
    fun `another machine, another Java and another Threadgauge are rejected, with both values`() {
        val there = before.environment
        for (now in listOf(
            there.copy(cores = 99), there.copy(kernel = "99"), there.copy(java = "99"), there.copy(threadgauge = "99"),
        )) {
            val why = shouldThrow<NotResumable> { carriedOn(before, now, builds, AT) }.words()
            why shouldContain "now 99"
        }
    }

    @Test
    fun `another build of a stack with results is rejected, and so is a missing build`() {
        val stack = before.trials.first().stack
        val other = shouldThrow<NotResumable> { carriedOn(before, before.environment, builds + (stack to "other"), AT) }
        other.words() shouldContain "must not mix builds"
        other.words() shouldContain stack
        val gone = shouldThrow<NotResumable> { carriedOn(before, before.environment, builds - stack, AT) }
        gone.words() shouldContain "no longer exist: $stack"
    }

    @Test
    fun `a stack without results may be rebuilt`() {
        val none = before.copy(trials = emptyList())
        val fresh = builds.mapValues { "${it.value} anew" }
        carriedOn(none, none.environment, fresh, AT).builds shouldBe fresh
    }

    @Test
    fun `the run's time continues by the wall clock, and never goes back`() {
        val last = before.trials.flatMap { it.samples }.maxOf { it.atMillis + it.windowMillis }
        val started = Instant.parse(before.startedAt)
        millisSoFar(before, started.plusSeconds(100_000)) shouldBe 1e8
        millisSoFar(before, started.minusSeconds(5)) shouldBe last
        millisSoFar(before.copy(trials = emptyList()), started.minusSeconds(5)) shouldBe 0.0
    }

    @Test
    fun `only logs and histograms of trials that are measured again are deleted`() {
        val folder = RecordFolder(temporary.resolve("run")).create()
        val (stale, kept) = before.plan.trials.first() to before.plan.trials.last()
        val files = { planned: PlannedTrial ->
            (planned.situations + "probe-07").map { folder.path.resolve(folder.hlogOf(planned, it)) } +
                listOf(folder.logOf(planned))
        }
        (files(stale) + files(kept)).forEach { it.writeText("old") }
        folder.clear(listOf(stale))
        files(stale).filter { it.exists() }.shouldBeEmpty()
        files(kept).filterNot { it.exists() }.shouldBeEmpty()
    }

    @Test
    fun `a record has one writer`() {
        val folder = RecordFolder(temporary.resolve("locked")).create()
        RecordLock.take(folder.path).use {
            val refused = shouldThrow<RecordInUse> { RecordLock.take(folder.path) }
            refused.words() shouldContain "process ${ProcessHandle.current().pid()}"
        }
        RecordLock.take(folder.path).close()
    }

    private fun carriedOn(record: Record) = carriedOn(record, record.environment, builds, AT)

    private fun refused(record: Record) = shouldThrow<NotResumable> { carriedOn(record) }.words()
}

private const val AT = "2026-11-22T08:00:00Z"

private val DIED = Failure.Target(TargetFault.Ended(1))
