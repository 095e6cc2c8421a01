package threadgauge.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.judge.judge
import threadgauge.judge.knee.judgeKnees
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Slo
import threadgauge.model.TrialState
import threadgauge.model.doubt.DoubtFacts
import threadgauge.model.doubt.DoubtId
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.doubt.OwnServiceDoubt
import threadgauge.model.doubt.TargetDoubt
import threadgauge.model.failure.Failure
import threadgauge.model.failure.TargetFault
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.TurnsReason
import threadgauge.probe.MachineProbe
import threadgauge.runs
import threadgauge.store.RecordLock
import threadgauge.target.TinyService
import threadgauge.wording.doubt.words
import threadgauge.wording.failure.words

/** Failures in the middle of a block of real processes: they are reported, and the other processes go on. */
@Tag("processes")
class BlockFaultsTest {
    @TempDir
    lateinit var temporary: Path

    private val block by lazy { TinyBlock(temporary) }

    @Test
    fun `a process that hangs, closes its port or moves it is out, a leak is reported, and the rest goes on`() {
        val plan = block.planOf(listOf("hangs", "closes", "moves", "leaks", "well").map { block.stackOf(it) }, ROUNDS)
        val record = block.run(plan) { event ->
            if (event.isRound(2)) block.trouble("hangs", "hang")
            if (event.isRound(3)) block.trouble("closes", "close")
            if (event.isRound(4)) block.trouble("moves", "move")
            (1..ROUNDS).firstOrNull(event::isRound)?.let { block.trouble("leaks", "leak $it") }
        }
        record.state shouldBe RunState.COMPLETE
        record.inTurns shouldBe null
        record.faultOf("hangs").shouldBeInstanceOf<TargetFault.NoAnswers>()
        record.faultOf("closes").shouldBeInstanceOf<TargetFault.PortClosed>().open.shouldBeEmpty()
        record.faultOf("moves").shouldBeInstanceOf<TargetFault.PortClosed>()
            .let { it.open.single().shouldBeGreaterThan(0); it.open shouldNotContain it.port }
        record.roundsOf("hangs", "steady") shouldContainExactly listOf(1)
        record.roundsOf("closes", "steady") shouldContainExactly listOf(1, 2)
        record.roundsOf("moves", "steady") shouldContainExactly listOf(1, 2, 3)
        for (stack in listOf("leaks", "well")) {
            record.trials.single { it.stack == stack }.state shouldBe TrialState.MEASURED
            record.roundsOf(stack, "steady") shouldContainExactly (1..ROUNDS).toList()
        }
        missing(record, "hangs").shouldNotBeNull().words() shouldContain "it hangs"
        missing(record, "moves").shouldNotBeNull().words() shouldContain "it listens on "
        withClue("resident MB of the one that leaks: ${residentMegabytes(record, "leaks")}") {
            doubts(record, "leaks").filterIsInstance<TargetDoubt.GrowingMemory>().single()
                .let { it.toBytes - it.fromBytes shouldBeGreaterThan 3L * TinyService.LEAK_BYTES }
        }
        doubts(record, "well").map { it.id } shouldNotContain DoubtId.GROWING_MEMORY
        block.left().shouldBeEmpty()
    }

    @Test
    fun `a process that takes all memory is out, and without memory for all, each is measured alone`() {
        var isShort = false
        val machine = MachineProbe { file ->
            val text = runCatching { Path.of(file).readText() }.getOrNull()
            if (file == "/proc/meminfo" && isShort) text?.replace(AVAILABLE, "MemAvailable: 1000 kB") else text
        }
        val stacks = listOf("a", "b", "greedy").map { block.stackOf(it) }
        val record = block.run(block.planOf(stacks, rounds = 4, trials = 2, isShort = true), machine) { event ->
            (1..3).firstOrNull(event::isRound)?.let { block.trouble("greedy", "leak $it") }
            if (event.isRound(3)) isShort = true
            if (event is RunEvent.TrialFailed) isShort = false
            if (event is RunEvent.BlockStarted && event.planned.first().number == 2) isShort = true
        }
        record.state shouldBe RunState.COMPLETE
        val fault = record.faultOf("greedy").shouldBeInstanceOf<TargetFault.TookTheMemory>()
        fault.leftBytes shouldBe 1_024_000
        Failure.Target(fault).words() shouldContain "until only 1 MB were left for all servers"
        record.roundsOf("greedy", "steady", 1) shouldContainExactly listOf(1, 2, 3)
        record.roundsOf("a", "steady", 1) shouldContainExactly (1..4).toList()
        record.inTurns shouldBe TurnsReason.Memory(3, 2, 1_024_000)
        record.trials.filter { it.number == 2 }.map { it.state }.distinct() shouldBe listOf(TrialState.MEASURED)
        block.left().shouldBeEmpty()
    }

    @Test
    fun `a pause is measured again, the agent's death ends the run, and changed answers are reported`() {
        val body = temporary.resolve("body").also { it.writeText("one") }
        val plan = block.planOf(listOf("a", "b").map { block.stackOf(it, "0:*:@$body") }, 4, trials = 2, isShort = true)
        var number = 1
        val died = shouldThrow<RunFailed> {
            block.run(plan) { event ->
                if (event is RunEvent.BlockStarted) number = event.planned.first().number
                if (event.isRound(2) && number == 1 && block.record.read().pauses.isEmpty()) standStill()
                if (event.isRound(3) && number == 2) agent().destroyForcibly()
            }
        }
        died.words() shouldContain "The load agent stopped"
        val failed = block.record.read()
        failed.state shouldBe RunState.FAILED
        failed.pauses.first().run {
            millis shouldBeGreaterThan 1_000.0
            listOf(trial, round, situation, isMeasuredAnew) shouldBe listOf(1, 2, "steady", true)
        }
        failed.roundsOf("a", "steady", 1) shouldContainExactly (1..4).toList()
        failed.roundsOf("a", "steady", 2) shouldContainExactly listOf(1, 2)
        judge(failed).doubts.map { it.id } shouldContainAll listOf(DoubtId.PAUSED, DoubtId.NOT_COMPLETE)

        body.writeText("three")
        val resumed = Run.resume(block.record, block.cancellation, {})
        resumed.state shouldBe RunState.COMPLETE
        resumed.trials.filter { it.number == 1 } shouldBe failed.trials.filter { it.number == 1 }
        resumed.roundsOf("a", "steady", 2) shouldContainExactly (1..4).toList()
        val changed = judge(resumed).doubts.map { it.facts }.filterIsInstance<OwnServiceDoubt.ChangedAnswers>().single()
        changed.words().seen shouldBe "a answered the same request differently in trial 1 and in trial 2: " +
            "bodies of 3 and 5 bytes with different content; the run was resumed"
        block.left().shouldBeEmpty()
    }

    @Test
    fun `searches of a block take turns, and a process that hangs in its search is out`() {
        val question = KneeQuestion(Slo.USUAL, toPerSecond = 40.0, probeNanos = 500_000_000, maxProbes = 6)
        val stacks = listOf("a", "b", "hangs").map { block.stackOf(it) }
        val plain = block.planOf(stacks, isShort = true)
        val plan = plain.copy(
            experiment = plain.experiment.copy(
                situations = plain.experiment.situations.take(1),
                warmUp = plain.experiment.warmUp.copy(situations = listOf("steady")),
            ),
            trials = stacks.map { PlannedTrial(it.name, 1, listOf("steady")) },
            rounds = null, knee = question,
        )
        val order = ArrayList<String>()
        val record = block.run(plan) { event ->
            if (event is RunEvent.Probed) order += event.planned.stack
            if (order.size == 5) block.trouble("hangs", "hang")
        }
        record.state shouldBe RunState.COMPLETE
        record.faultOf("hangs").shouldBeInstanceOf<TargetFault.NoAnswers>()
        for (stack in listOf("a", "b")) {
            val own = record.trials.single { it.stack == stack }
            own.state shouldBe TrialState.MEASURED
            own.probes.map { it.sample.situation } shouldBe own.probes.indices.map { "probe-%02d".format(it + 1) }
        }
        // While all search, each has had as many loads as any other, or one more.
        order.take(5).groupingBy { it }.eachCount().values.sorted() shouldBe listOf(1, 2, 2)
        judgeKnees(record).targets.map { it.outcome } shouldBe
            listOf(KneeOutcome.NEVER_BROKEN, KneeOutcome.NEVER_BROKEN, KneeOutcome.CANNOT_TELL)
        block.left().shouldBeEmpty()
    }

    @Test
    fun `kill -9 of the coordinator of twelve processes leaves none of them, and no lock`() {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val own = temporary.resolve("tmp").also { it.toFile().mkdir() }
        val coordinator = ProcessBuilder(
            java, "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=$own", "-cp", System.getProperty("java.class.path"),
            "threadgauge.run.TwelveKt", "$temporary",
        ).redirectError(temporary.resolve("err").toFile()).start()
        val said = coordinator.inputReader()
        generateSequence { said.readLine() }.first { it == ALL_ALIVE }
        val family = coordinator.descendants().toList()
        family.count { "TinyService" in commandOf(it) && "sh" !in commandOf(it).substringBefore(' ') } shouldBe TWELVE
        coordinator.destroyForcibly().waitFor()
        val end = System.nanoTime() + 60_000_000_000
        while (family.any(::runs)) {
            check(System.nanoTime() < end) { "left: ${family.filter(::runs).map(::commandOf)}" }
            Thread.sleep(20)
        }
        RecordLock.take(block.record.path).close()
        block.record.read().trials.size shouldBe TWELVE
        val kept = own.listDirectoryEntries().filter { it.name.startsWith("threadgauge") }
        // Reserved ports are bytes of a file, and none of them is locked any more.
        kept.map { it.name.substringBeforeLast('-') } shouldContainExactly listOf("threadgauge-ports")
        FileChannel.open(kept.single(), StandardOpenOption.WRITE).use { it.tryLock().shouldNotBeNull() }
    }

    private fun Record.faultOf(stack: String): TargetFault =
        trials.single { it.stack == stack && it.state == TrialState.FAILED }
            .let { (it.failure as Failure.Target).fault }

    private fun doubts(record: Record, stack: String): List<DoubtFacts> = judge(record).situations.first().cells
        .single { it.stack == stack }.doubts.map { it.facts }

    private fun residentMegabytes(record: Record, stack: String) = record.trials.single { it.stack == stack }
        .samples.first().process.map { it.rssBytes / 1_000_000 }

    private fun missing(record: Record, stack: String) =
        doubts(record, stack).filterIsInstance<LoadDoubt.NotMeasured>().single().failure

    private fun agent() = ProcessHandle.current().descendants().filter { "AgentMainKt" in commandOf(it) }
        .filter { commandOf(it).substringBefore(' ').endsWith("java") }.findFirst().get()

    private fun commandOf(process: ProcessHandle) =
        runCatching { Path.of("/proc/${process.pid()}/cmdline").readText().replace('\u0000', ' ') }.getOrDefault("")

    /** Stops this process, which is the coordinator, for more than a second. */
    private fun standStill() {
        val pid = ProcessHandle.current().pid()
        ProcessBuilder("sh", "-c", "kill -STOP $pid; sleep 1.5; kill -CONT $pid").start().waitFor()
    }

    private companion object {
        /**
         * Memory is read once per slice, and growth is told from six readings. A busy machine, which begins late to
         * look at so short a slice, misses some of them.
         */
        const val ROUNDS = 9
        val AVAILABLE = Regex("MemAvailable:.*")
    }
}
