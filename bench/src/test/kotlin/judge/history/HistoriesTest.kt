package threadgauge.judge.history

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.judge.withSteps
import threadgauge.model.AgentCeiling
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.RunSummary
import threadgauge.model.Sample
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.compare.HistoryEvent
import threadgauge.model.judgement.compare.LeftOutReason
import threadgauge.model.judgement.compare.SoftwarePart
import threadgauge.model.request.StepName
import threadgauge.stats.changePoints
import threadgauge.wording.history.words

class HistoriesTest {
    @Test
    fun `ten builds of which the last three are slower show where, by how much, and that it is worse`() {
        val history = history(List(10) { run(it, if (it < 7) 1_000.0 + it % 3 else 900.0 + it % 3) })
        val series = history.series.single()
        series.points.size shouldBe 10
        val change = series.changes.single()
        change.at shouldBe 7
        change.ratio shouldBe (0.9 plusOrMinus 0.005)
        change.isBetter shouldBe false
        change.events.shouldBeEmpty()
    }

    @Test
    fun `one slower build among ten is off, and no change`() {
        val series = history(List(10) { run(it, if (it == 6) 900.0 else 1_000.0 + it % 3) }).series.single()
        series.changes.shouldBeEmpty()
        val odd = series.odd.single()
        odd.at shouldBe 6
        odd.off shouldBe (-0.1 plusOrMinus 0.005)
        odd.isBetter shouldBe false
    }

    @Test
    fun `a figure of which less is better becomes better by falling`() {
        val runs = List(10) { run(it, 1_000.0, cpu = if (it < 5) 50.0 + it * 0.01 else 40.0 + it * 0.01) }
        historyOf("e", runs, setOf(Compared.CPU), 0.03).series.single { it.stack == "a" }
            .changes.single().isBetter shouldBe true
    }

    @Test
    fun `a change smaller than the margin is none`() {
        history(List(10) { run(it, if (it < 5) 1_000.0 + it * 0.1 else 980.0 + it * 0.1) })
            .series.single().changes.shouldBeEmpty()
    }

    @Test
    fun `runs are in order of time, whatever order they are found in`() {
        val runs = List(6) { run(it, 1_000.0 + it) }
        history(runs.shuffled(java.util.Random(1))).runs.map { it.record } shouldContainExactly runs.map { it.id }
    }

    @Test
    fun `another machine, another load, and runs without figures are left out with their reasons`() {
        val runs = List(6) { run(it, 1_000.0 + it) }
        val other = run(1, 500.0, id = "elsewhere") { it.copy(environment = it.environment.copy(cpu = "other")) }
        val asked = run(2, 500.0, id = "asked") {
            val experiment = it.plan.experiment
            val situations = experiment.situations.map { one -> one.copy(request = one.request.copy(path = "/other")) }
            it.copy(plan = it.plan.copy(experiment = experiment.copy(situations = situations)))
        }
        val empty = run(3, 500.0, id = "empty") { it.copy(trials = emptyList(), state = RunState.FAILED) }
        val history = history(runs + other + asked + empty)
        history.runs.size shouldBe 6
        history.leftOut.associate { it.record to it.reason::class } shouldBe mapOf(
            "elsewhere" to LeftOutReason.OtherMachine::class,
            "asked" to LeftOutReason.AskedOtherwise::class,
            "empty" to LeftOutReason.NoFigures::class,
        )
    }

    @Test
    fun `what changed besides stands with a change of the same run`() {
        val runs = List(10) { at ->
            run(at, if (at < 5) 1_000.0 + at else 800.0 + at) {
                val speed = AgentCeiling(if (at < 5) 100_000.0 + at else 80_000.0 + at, 5.0)
                it.copy(environment = it.environment.copy(kernel = if (at < 5) "1" else "2", agentCeiling = speed))
            }
        }
        val change = history(runs).series.single().changes.single()
        change.events.map { it.at } shouldContainExactly listOf(5, 5)
        (change.events.first() as HistoryEvent.Software).part shouldBe SoftwarePart.KERNEL
        (change.events.last() as HistoryEvent.MachineSpeed).ratio shouldBe (0.8 plusOrMinus 0.01)
    }

    @Test
    fun `one step that became slower shows, although throughput and the other steps stay as they were`() {
        val runs = List(10) { at ->
            run(at, 1_000.0 + at % 3) { record ->
                val pay = if (at < 6) 20_000_000L else 23_000_000L
                record.edited { it.withSteps("buy", mapOf("carts" to 5_000_000L + at % 2, "pay" to pay + at % 2)) }
            }
        }
        val history = historyOf("e", runs, setOf(Compared.THROUGHPUT, Compared.P99), 0.03)
        history.series.filter { it.stack == "a" }.map { it.step to it.of } shouldContainExactly listOf(
            null to Compared.THROUGHPUT, null to Compared.P99,
            StepName("buy", "carts") to Compared.P50, StepName("buy", "carts") to Compared.P99,
            StepName("buy", "pay") to Compared.P50, StepName("buy", "pay") to Compared.P99,
        )
        val changed = history.series.filter { it.stack == "a" && it.changes.isNotEmpty() }
        changed.map { it.step } shouldContainExactly List(2) { StepName("buy", "pay") }
        changed.first().changes.single().let {
            it.at shouldBe 6
            it.ratio shouldBe (1.15 plusOrMinus 0.01)
            it.isBetter shouldBe false
        }
        history.words(changed.first(), changed.first().changes.single()) shouldStartWith
            "Median latency of buy.pay on a in s is worse, 1.15 times"
        historyOf("e", runs, setOf(Compared.CPU), 0.03).series.mapNotNull { it.step }.shouldBeEmpty()
    }

    @Test
    fun `how many steps a scenario has does not hide that the whole became slower`() {
        val cpu = List(10) { 50.0 * (if (it % 2 == 0) 0.94 else 1.06) * (if (it < 7) 1.0 else 1.3) }

        fun changed(steps: Int): List<Pair<String, Int>> {
            val runs = cpu.mapIndexed { at, micros ->
                run(at, 1_000.0, micros) { record ->
                    record.edited { sample -> sample.withSteps("buy", List(steps) { "s$it" to 5_000_000L }.toMap()) }
                }
            }
            return historyOf("e", runs, setOf(Compared.CPU, Compared.P99), 0.03).series
                .flatMap { series -> series.changes.map { "${series.stack} ${series.of} ${series.step}" to it.at } }
        }
        changed(steps = 1) shouldContainExactly listOf("a CPU null" to 7)
        changed(steps = 12) shouldBe changed(steps = 1)
        // An equal share for each of the fifty-two series would find none.
        changePoints(cpu, 0.05 / 52).shouldBeEmpty()
    }

    @Test
    fun `a run without the figure is a gap`() {
        val runs = List(7) { at -> run(at, 1_000.0 + at) { if (at == 3) it.without() else it } }
        val points = history(runs).series.single { it.stack == "a" }.points
        points[3].shouldBeNull()
        points.filterNotNull().size shouldBe 6
    }

    private fun Record.edited(edit: (Sample) -> Sample) =
        copy(trials = trials.map { trial -> trial.copy(samples = trial.samples.map(edit)) })

    private fun Record.without() = copy(trials = trials.filter { it.stack == "b" })

    private fun history(runs: List<RunSummary>) = historyOf("e", runs, setOf(Compared.THROUGHPUT), 0.03).let { all ->
        all.copy(series = all.series.filter { it.stack == "a" })
    }

    private fun run(
        at: Int,
        perSecond: Double,
        cpu: Double = 50.0,
        id: String = "e-$at",
        edit: (Record) -> Record = { it },
    ): RunSummary {
        val stacks = mapOf("a" to List(3) { perSecond + it * 0.1 }, "b" to List(3) { 1_000.0 + it + at })
        val record = recordOf(stacks, cpuMicros = mapOf("a" to cpu, "b" to 50.0 + at % 2)).let {
            edit(it.copy(id = id, startedAt = "2026-01-%02dT00:00:00Z".format(at + 1)))
        }
        return summaryOf(record, judge(record))
    }
}
