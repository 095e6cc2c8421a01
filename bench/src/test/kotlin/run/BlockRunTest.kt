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
import kotlin.streams.asSequence
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Plan
import threadgauge.model.PlannedTrial
import threadgauge.model.Record
import threadgauge.model.Request
import threadgauge.model.RoundsRule
import threadgauge.model.RunState
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.TrialState
import threadgauge.model.TurnsReason
import threadgauge.model.WarmUpRule
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.store.RecordFolder
import threadgauge.target.TinyService

/** Real processes that live together. */
@Tag("processes")
class BlockRunTest {
    @TempDir
    lateinit var temporary: Path

    private val cancellation = Cancellation()

    @Test
    fun `each is loaded in every round, and its slices add up to its samples`() {
        val record = run()
        record.state shouldBe RunState.COMPLETE
        record.trials shouldHaveSize 3
        roundsOf(record, "steady").let { it shouldContainExactly (1..it.size).toList() }
        roundsOf(record, "steady").size shouldBeGreaterThan roundsOf(record, "open").size
        roundsOf(record, "burst") shouldContainExactly listOf(1)
        for (trial in record.trials) {
            trial.state shouldBe TrialState.MEASURED
            for (sample in trial.samples) {
                val slices = trial.slices.filter { it.situation == sample.situation }
                slices.map { it.round } shouldContainExactly roundsOf(record, sample.situation)
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
        left().shouldBeEmpty()
    }

    @Test
    fun `one that dies between its slices is out, and keeps what was measured, and the others go on`() {
        val record = run { event ->
            if (event is RunEvent.RoundStarted && event.round == 3 && event.situation == "steady") kill("b")
        }
        record.state shouldBe RunState.COMPLETE
        val dead = record.trials.single { it.stack == "b" }
        dead.state shouldBe TrialState.FAILED
        (dead.failure as Failure.Target).fault.shouldBeInstanceOf<TargetFault.Ended>()
        dead.slices.filter { it.situation == "steady" }.map { it.round } shouldContainExactly listOf(1, 2)
        record.trials.filter { it.stack != "b" }.forEach { trial ->
            trial.state shouldBe TrialState.MEASURED
            trial.slices.filter { it.situation == "steady" }.map { it.round } shouldContainExactly
                roundsOf(record, "steady")
        }
        left().shouldBeEmpty()
    }

    @Test
    fun `interrupted in the middle, it keeps every round that was complete`() {
        val record = run { event ->
            if (event is RunEvent.RoundStarted && event.round == 3 && event.situation == "steady") cancellation.cancel()
        }
        record.state shouldBe RunState.INTERRUPTED
        record.trials shouldHaveSize 3
        record.trials.forEach { trial ->
            trial.state shouldBe TrialState.INTERRUPTED
            trial.slices.filter { it.situation == "steady" }.map { it.round } shouldContainExactly listOf(1, 2)
            trial.samples.first().run { situation shouldBe "steady"; counts.answered shouldBeGreaterThan 0 }
        }
        left().shouldBeEmpty()
    }

    @Test
    fun `where one does not start beside the others, all are measured in turns`() {
        val record = run(stacks = listOf("a", "b", "c").map { stackOf(it, dies = it == "c") })
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
        left().shouldBeEmpty()
    }

    private fun run(
        stacks: List<Stack> = listOf("a", "b", "c").map { stackOf(it) },
        hear: (RunEvent) -> Unit = {},
    ): Record = Run(planOf(stacks), RecordFolder(temporary.resolve("record")), cancellation, hear).execute()

    private fun planOf(stacks: List<Stack>): Plan {
        val situations = listOf(
            Situation("steady", "are answered", Request(path = "/"), Load.Users(2, 10 * SLICE)),
            Situation("open", "arrive", Request(path = "/"), Load.Rate(100.0, 5 * SLICE)),
            Situation("burst", "come at once", Request(path = "/"), Load.Burst(5)),
        )
        val experiment = Experiment(
            "block", "Does it hold?", stacks.map { it.name }, situations, trials = 1,
            warmUp = WarmUpRule(budgetNanos = 1, loadNanos = SLICE, pauseNanos = 0),
        )
        val trials = stacks.map { PlannedTrial(it.name, 1, situations.map { s -> s.name }) }
        return Plan(experiment, stacks, trials, seed = 1, quick = false, rounds = RoundsRule(SLICE, SLICE / 4))
    }

    private fun stackOf(name: String, dies: Boolean = false) = Stack(
        name, name, ConcurrencyModel.PLATFORM_THREADS, "as given",
        command = TinyService.command(if (dies) "nothing" else "0:*:ok"), folder = "$temporary", keepsContract = false,
        environment = mapOf(MARK to "$temporary/$name"),
    )

    private fun kill(name: String) = left().single { "$temporary/$name" in environmentOf(it) }.destroyForcibly()

    /** Services of this test that are alive. */
    private fun left() = ProcessHandle.current().descendants().asSequence()
        .filter { it.isAlive && "$MARK=$temporary" in environmentOf(it) }
        .filter { it.info().command().orElse("").endsWith("java") }.toList()

    private fun environmentOf(process: ProcessHandle) =
        runCatching { Path.of("/proc/${process.pid()}/environ").toFile().readText() }.getOrDefault("")

    /** Of the stack that was never disturbed. How long slices are depends on how quick the machine is. */
    private fun roundsOf(record: Record, situation: String) =
        record.trials.single { it.stack == "a" }.slices.filter { it.situation == situation }.map { it.round }

    private companion object {
        const val SLICE = 400_000_000L
        const val MARK = "BLOCK_RUN_TEST"
    }
}
