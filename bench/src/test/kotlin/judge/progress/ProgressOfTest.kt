package threadgauge.judge.progress

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Boot
import threadgauge.model.Counts
import threadgauge.model.JvmState
import threadgauge.model.LoadSecond
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Slo
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.judgement.TrialProgress
import threadgauge.model.judgement.TrialStep
import threadgauge.model.plan.Goal
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.Slice
import threadgauge.model.plan.SliceLatency
import threadgauge.report.exampleRecord
import threadgauge.wording.run.notice
import threadgauge.wording.run.words

class ProgressOfTest {
    private val whole = recordOf(mapOf("a" to listOf(100.0, 300.0, 200.0), "b" to listOf(50.0, 60.0, 70.0)))

    @Test
    fun `figures are those of the report of the same record`() {
        val record = exampleRecord()
        val cells = judge(record).situations.flatMap { judged -> judged.cells.map { judged.situation.name to it } }
        val progress = progressOf(record).cells
        progress.map { it.situation to it.stack } shouldContainExactly cells.map { (name, cell) -> name to cell.stack }
        progress.map { it.perSecond } shouldContainExactly cells.map { it.second.throughput?.value }
        progress.map { it.p99Millis } shouldContainExactly cells.map { it.second.p99Millis?.value }
        progress.map { it.cpuMicrosPerRequest } shouldContainExactly
            cells.map { it.second.cpuMicrosPerRequest?.value }
    }

    @Test
    fun `trials are counted by how they ended, and those under way by what they do`() {
        val done = whole.trials
        val next = Trial("a", 3, TrialState.RUNNING, command = listOf("x"), log = "x.log")
        fun progress(trial: Trial) = progressOf(running(done.take(2) + done[3].copy(state = TrialState.FAILED) + trial))
        progress(next).run {
            planned shouldBe 6
            measured shouldBe 2
            failed shouldBe 1
            underWay.single() shouldBe TrialProgress("a", 3, TrialStep.STARTING)
            words() shouldBe "2 of 6 trials measured. 1 trial failed."
            underWay.single().words() shouldBe "a, trial 3: starting"
        }
        val booted = next.copy(boot = Boot(1.0, 2.0))
        progress(booted).underWay.single().step shouldBe TrialStep.WARMING_UP
        progress(next.copy(idle = JvmState(1, 1, 1, 1, 1))).underWay.single().step shouldBe TrialStep.WARMING_UP
        progress(booted.copy(samples = done[0].samples)).underWay.single().step shouldBe TrialStep.MEASURING
    }

    @Test
    fun `the latest slices of all trials are kept, or the seconds of the newest trial`() {
        val seconds = listOf(LoadSecond(0, 10, 9, 0, 1, 1_000.0, 2_000.0, 3_000.0), LoadSecond(1, 1, 0, 0, 1))
        val trial = whole.trials.first()
        val inSeconds = trial.copy(samples = trial.samples.map { it.copy(seconds = seconds) })
        progressOf(running(listOf(inSeconds))).cells.first().latest.run {
            map { it.perSecond } shouldContainExactly listOf(9.0, 0.0)
            first().p99Millis shouldBe 3.0
            last().p50Millis.shouldBeNull()
        }
        val inSlices = inSeconds.copy(slices = List(100) { slice(it + 1) })
        progressOf(running(listOf(inSlices))).cells.first().latest.run {
            size shouldBe 60
            last().part shouldBe 100
            last().p99Millis shouldBe 3.0
        }
    }

    @Test
    fun `a run that plans itself has at most its trials, and a search for the knee has probes`() {
        val plan = running(emptyList()).plan
        val goal = progressOf(running(emptyList()).copy(plan = plan.copy(goal = Goal(within = 0.03))))
        goal.words() shouldBe "0 of at most 6 trials measured."
        val knee = progressOf(whole.copy(plan = plan.copy(knee = KneeQuestion(Slo()))))
        knee.cells.shouldBeEmpty()
        knee.probes.shouldBeEmpty()
    }

    @Test
    fun `a run that was broken off is told so, and one that has ended is not`() {
        progressOf(running(whole.trials)).notice(isWritten = false) shouldBe
            "This run was broken off: no process writes its record any more. What it measured is below."
        progressOf(running(whole.trials)).notice(isWritten = true).shouldBeNull()
        progressOf(whole).notice(isWritten = false).shouldBeNull()
        progressOf(whole).words() shouldBe "6 trials measured."
    }

    private fun running(trials: List<Trial>): Record = whole.copy(state = RunState.RUNNING, trials = trials)

    private fun slice(round: Int) =
        Slice("s", round, 1.0, 500.0, Counts(5, 5, 5, 0, 0), 5, SliceLatency(1_000.0, 1_000.0, 3_000.0), 1.0)
}
