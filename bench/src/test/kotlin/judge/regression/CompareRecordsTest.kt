package threadgauge.judge.regression

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.recordOf
import threadgauge.judge.withSteps
import threadgauge.model.Load
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.AskedPart
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.Mismatch
import threadgauge.model.request.Request
import threadgauge.model.request.Scenario
import threadgauge.model.request.Step
import threadgauge.model.request.StepName
import threadgauge.wording.regression.subject

class CompareRecordsTest {
    private val usual = listOf(10_000.0, 10_050.0, 9_960.0, 10_020.0, 9_990.0)

    @Test
    fun `a build that serves a tenth less fails, by as much as it does`() {
        val comparison = compareRecords(listOf(run(usual)), listOf(run(usual.map { it / 1.1 })))
        comparison.gate shouldBe GateResult.FAILED
        val change = comparison.changes.single { it.of == Compared.THROUGHPUT }
        change.outcome shouldBe ChangeOutcome.WORSE
        (1 / 1.1 in change.low!!..change.high!!) shouldBe true
    }

    @Test
    fun `the same passes, and a faster one passes as better`() {
        compareRecords(listOf(run(usual)), listOf(run(usual.reversed()))).gate shouldBe GateResult.PASSED
        val faster = compareRecords(listOf(run(usual)), listOf(run(usual.map { it * 1.2 })))
        faster.gate shouldBe GateResult.PASSED
        faster.changes.filter { it.outcome == ChangeOutcome.BETTER }.map { it.of } shouldContain Compared.THROUGHPUT
    }

    @Test
    fun `what varies too much, or has too few trials, cannot be told`() {
        val wild = listOf(8_000.0, 12_000.0, 10_000.0, 9_000.0, 11_500.0)
        val comparison = compareRecords(listOf(run(usual)), listOf(run(wild)))
        comparison.gate shouldBe GateResult.CANNOT_TELL
        comparison.changes.single { it.of == Compared.THROUGHPUT }.outcome shouldBe ChangeOutcome.CANNOT_TELL
        val two = run(listOf(1.0, 2.0))
        compareRecords(listOf(two), listOf(two)).changes.map { it.low }.distinct() shouldBe listOf(null)
    }

    @Test
    fun `more CPU for each request fails, unless only throughput is gated`() {
        val base = recordOf(mapOf("a" to usual), cpuMicros = mapOf("a" to 50.0))
        val new = recordOf(mapOf("a" to usual), cpuMicros = mapOf("a" to 60.0))
        compareRecords(listOf(base), listOf(new)).gate shouldBe GateResult.FAILED
        compareRecords(listOf(base), listOf(new), gates = setOf(Compared.THROUGHPUT)).gate shouldBe GateResult.PASSED
        compareRecords(listOf(base), listOf(new), margin = 0.25).gate shouldBe GateResult.PASSED
    }

    @Test
    fun `a load that both keep up with is gated by p99, not by throughput`() {
        fun open(p99Micros: Double) =
            run(usual, { it.copy(latency = it.latency.copy(p99Micros = p99Micros)) })
                .asked(Load.Rate(10_000.0, 5_000_000_000))
        val comparison = compareRecords(listOf(open(2_000.0)), listOf(open(3_000.0)))
        comparison.changes.filter { it.gated }.map { it.of }.toSet() shouldBe setOf(Compared.P99, Compared.CPU)
        comparison.gate shouldBe GateResult.FAILED
    }

    @Test
    fun `another machine, another question and an invalid cell cannot be compared`() {
        val other = run(usual).let { it.copy(environment = it.environment.copy(cpu = "another")) }
        val machines = compareRecords(listOf(run(usual)), listOf(other))
        machines.gate shouldBe GateResult.CANNOT_TELL
        machines.doubts.map { it.id.id } shouldContain "other-machine"
        val awake = run(usual).let { it.copy(environment = it.environment.copy(awakeCores = true)) }
        compareRecords(listOf(run(usual)), listOf(awake)).doubts.map { it.id.id } shouldContain "other-cores"
        val question = compareRecords(listOf(run(usual)), listOf(run(usual).asked(Load.Users(70, 5_000_000_000))))
        question.gate shouldBe GateResult.CANNOT_TELL
        question.changes.shouldBeEmpty()
        val seventy = Load.Users(70, 5_000_000_000)
        question.notCompared shouldBe listOf(
            Mismatch.AskedOtherwise("s", listOf(AskedPart.LOAD), LOAD, seventy),
        )
        val failing = run(usual, { it.copy(counts = it.counts.copy(unfinished = it.counts.scheduled / 2)) })
        val invalid = compareRecords(listOf(run(usual)), listOf(failing))
        invalid.gate shouldBe GateResult.CANNOT_TELL
        invalid.changes.map { it.validity }.distinct() shouldBe listOf(Validity.INVALID)
    }

    @Test
    fun `a slower step is worse, and fails only where its figure is gated`() {
        val slow = run(usual) { it.withSteps("buy", mapOf("carts" to 5_000_000, "pay" to 23_000_000)) }
        val base = run(usual) { it.withSteps("buy", mapOf("carts" to 5_000_000, "pay" to 20_000_000)) }
        val comparison = compareRecords(listOf(base), listOf(slow))
        val pay = comparison.changes.single { it.step?.step == "pay" && it.of == Compared.P50 }
        pay.step shouldBe StepName("buy", "pay")
        pay.gated shouldBe false
        pay.outcome shouldBe ChangeOutcome.WORSE
        pay.ratio shouldBe (1.15 plusOrMinus 0.01)
        pay.subject shouldBe "median latency of buy.pay on a in s"
        comparison.changes.single { it.step?.step == "carts" && it.of == Compared.P99 }.ratio shouldBe 1.0
        comparison.gate shouldBe GateResult.PASSED
        compareRecords(listOf(base), listOf(slow), gates = setOf(Compared.P50)).gate shouldBe GateResult.FAILED
    }

    @Test
    fun `other scenarios are another request`() {
        val steps = listOf(Step("page", Request(path = "/")))
        val other = run(usual).let { record ->
            val experiment = record.plan.experiment
            val situations = experiment.situations.map { it.copy(scenarios = listOf(Scenario("browse", 1.0, steps))) }
            record.copy(plan = record.plan.copy(experiment = experiment.copy(situations = situations)))
        }
        compareRecords(listOf(run(usual)), listOf(other)).notCompared.single() shouldBe
            Mismatch.AskedOtherwise("s", listOf(AskedPart.REQUEST), LOAD, LOAD)
    }

    @Test
    fun `one run of each is doubted, three of each are compared run by run`() {
        compareRecords(listOf(run(usual)), listOf(run(usual))).doubts.map { it.id.id } shouldContain "not-interleaved"
        // Within a run trials hardly vary, but the machine drifts by 4 % from run to run: only runs can see that.
        val drifts = listOf(1.0, 1.04, 0.96)
        val base = drifts.map { drift -> run(usual.map { it * drift }) }
        val new = drifts.map { drift -> run(usual.map { it * drift * 0.95 }) }
        val runs = compareRecords(base, new, gates = setOf(Compared.THROUGHPUT))
        runs.doubts.map { it.id.id }.contains("not-interleaved") shouldBe false
        runs.gate shouldBe GateResult.CANNOT_TELL
        compareRecords(base.take(1), new.take(1), gates = setOf(Compared.THROUGHPUT)).gate shouldBe GateResult.FAILED
    }

    @Test
    fun `of two hundred pairs of equal builds at most one in twenty is called worse`() {
        val random = Random(200)
        fun build() = run(List(5) { 10_000 * exp(0.03 * random.nextGaussian()) })
        val worse = (1..200).count { compareRecords(listOf(build()), listOf(build())).gate == GateResult.FAILED }
        worse.toDouble().shouldBeLessThan(11.0)
    }
}

private val LOAD = Load.Users(50, 5_000_000_000)

private fun run(perSecond: List<Double>, edit: (Sample) -> Sample = { it }) =
    recordOf(mapOf("a" to perSecond), edit = edit)

private fun Record.asked(load: Load): Record {
    val experiment = plan.experiment.copy(situations = plan.experiment.situations.map { it.copy(load = load) })
    return copy(plan = plan.copy(experiment = experiment))
}
