package threadgauge.judge.knee

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.judge.sampleOf
import threadgauge.knee.KneeSteps
import threadgauge.model.LatencyMeasure
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.ProbeReason
import threadgauge.model.plan.Probe
import threadgauge.stats.ScalabilityLaw
import threadgauge.wording.knee.words

class KneeJudgeTest {
    private val around2000 =
        listOf(700.0, 1_050.0, 1_575.0, 2_360.0, 1_950.0, 2_080.0, 1_990.0, 2_020.0, 1_985.0, 2_015.0)

    @Test
    fun `the knee lies between what was kept and what was broken`() {
        val judged = judgeKnee(kneeRecordOf(listOf(2_000.0), around2000))
        judged.outcome shouldBe KneeOutcome.FOUND
        val knee = judged.knee.shouldNotBeNull()
        knee.perSecond shouldBe (2_000.0 plusOrMinus 20.0)
        (knee.low < 1_995 && knee.high > 2_005 && knee.high / knee.low < 1.2) shouldBe true
        judged.highestKept shouldBe 1_990.0
        judged.doubts.map { it.id.id } shouldContain "few-processes"
    }

    @Test
    fun `three processes have an interval that holds how they differ`() {
        val capacities = listOf(1_960.0, 2_000.0, 2_040.0)
        val rates = around2000 + listOf(1_955.0, 1_965.0, 2_035.0, 2_045.0)
        val three = judgeKnee(kneeRecordOf(capacities, rates))
        val one = judgeKnee(kneeRecordOf(capacities.drop(1).take(1), rates))
        three.processes.size shouldBe 3
        three.knee!!.high - three.knee!!.low shouldBeGreaterThan one.knee!!.high - one.knee!!.low
        three.doubts.map { it.id.id } shouldNotContain "few-processes"
    }

    @Test
    fun `a target that keeps its goals at the highest rate allowed is at least as good`() {
        val question = kneeQuestion.copy(toPerSecond = 2_000.0)
        val judged = judgeKnee(kneeRecordOf(listOf(9_000.0), listOf(700.0, 1_050.0, 2_000.0, 2_000.0), question))
        judged.outcome shouldBe KneeOutcome.NEVER_BROKEN
        judged.highestKept shouldBe 2_000.0
        judged.knee.shouldBeNull()
    }

    @Test
    fun `where the load agent is the limit, no knee is made up`() {
        val judged = judgeKnee(kneeRecordOf(listOf(9_000.0), listOf(1_000.0, 1_400.0, 1_400.0), ceiling = 2_000.0))
        judged.outcome shouldBe KneeOutcome.AGENT_IS_THE_LIMIT
        judged.knee.shouldBeNull()
    }

    @Test
    fun `a probe that the load agent sent late neither counts nor keeps the search from going higher`() {
        val record = kneeRecordOf(listOf(2_000.0), around2000)
        val late = openProbe("probe-99", 1_700.0, 400_000.0).let { probe ->
            probe.copy(sample = probe.sample.copy(serviceTime = probe.sample.latency.copy(p99Micros = 5_000.0)))
        }
        val disturbed = record.copy(trials = record.trials.map { it.copy(probes = it.probes + late + late) })
        judgeKnee(disturbed).probes.last().outcome shouldBe ProbeOutcome.LATE
        judgeKnee(disturbed).knee shouldBe judgeKnee(record).knee
        KneeSteps(kneeQuestion, record.environment).rule(judgeKnee(disturbed).probes).highest shouldBe 35_000.0
    }

    @Test
    fun `a knee beyond the highest rate is not made up`() {
        val question = kneeQuestion.copy(toPerSecond = 2_000.0)
        val broken = kneeRecordOf(listOf(1.0), listOf(1_990.0), question).trials.single().probes.last()
        val record = kneeRecordOf(listOf(9_000.0), listOf(700.0, 1_050.0) + List(5) { 1_995.0 }, question)
        val once = record.copy(
            trials = record.trials.map { it.copy(probes = it.probes.take(10) + broken + it.probes.drop(10)) },
        )
        judgeKnee(once).outcome shouldBe KneeOutcome.NEVER_BROKEN
    }

    @Test
    fun `a target that never keeps its goals is told with what was seen`() {
        val judged = judgeKnee(kneeRecordOf(listOf(1.0), listOf(700.0, 233.0, 78.0, 26.0, 10.0, 10.0)))
        judged.outcome shouldBe KneeOutcome.NEVER_KEPT
        judged.lowestBroken?.offeredPerSecond shouldBe 10.0
        judged.lowestBroken?.reasons shouldBe
            listOf(ProbeReason.GoalBroken(LatencyMeasure.P99, 400_000.0, maxMicros = 100_000.0))
    }

    @Test
    fun `what was seen before an interrupt is judged as far as it goes`() {
        val early = kneeRecordOf(listOf(2_000.0), listOf(700.0, 1_050.0))
            .copy(state = RunState.INTERRUPTED, stateReason = "by the user")
        judgeKnee(early).let {
            it.outcome shouldBe KneeOutcome.CANNOT_TELL
            it.doubts.map { doubt -> doubt.id.id } shouldContain "not-complete"
        }
        val late = kneeRecordOf(listOf(2_000.0), around2000.take(5)).copy(state = RunState.INTERRUPTED)
        judgeKnee(late).let {
            it.outcome shouldBe KneeOutcome.FOUND
            it.doubts.map { doubt -> doubt.id.id } shouldContain "wide-interval"
        }
        judgeKnee(early.copy(trials = emptyList())).outcome shouldBe KneeOutcome.CANNOT_TELL
    }

    @Test
    fun `each doubt about a search is raised by what it is about, and by nothing else`() {
        val clean =
            kneeRecordOf(listOf(1_960.0, 2_000.0, 2_040.0), around2000 + listOf(1_955.0, 1_965.0, 2_035.0, 2_045.0))
        fun Record.doubts() = judgeKnee(this).doubts.map { it.id.id }
        fun Record.withProbes(change: (Probe) -> Probe) =
            copy(trials = trials.map { trial -> trial.copy(probes = trial.probes.map(change)) })
        clean.doubts().shouldBeEmpty()
        val unsteady = clean.copy(trials = clean.trials.map { it.copy(warmUp = it.warmUp!!.copy(steady = false)) })
        unsteady.doubts() shouldContain "not-steady"
        val lost = clean.trials.first().let { it.copy(probes = it.probes.take(5)) }
        clean.copy(trials = listOf(lost) + clean.trials.drop(1)).doubts() shouldContain "processes-disagree"
        clean.withProbes { it.copy(sample = it.sample.copy(serviceTime = it.sample.latency.copy(p99Micros = 5_000.0))) }
            .doubts() shouldContain "agent"
        clean.withProbes { it.copy(sample = it.sample.copy(latency = it.sample.latency.copy(count = 100))) }
            .doubts() shouldBe
            listOf("few-samples")
        clean.withProbes { it.copy(sample = it.sample.copy(cost = it.sample.cost.copy(steal = 0.05))) }
            .doubts() shouldBe
            listOf("stolen-time")
    }

    @Test
    fun `replicas are rounded up and reckoned with the lower end of the interval`() {
        val question = kneeQuestion.copy(wantPerSecond = 10_000.0, headroom = 0.3)
        val judged = judgeKnee(kneeRecordOf(listOf(2_000.0), around2000, question))
        val sizing = judged.sizing.shouldNotBeNull()
        sizing.eachPerSecond shouldBe judged.knee!!.low
        sizing.replicas shouldBe 7 // 13,000 ÷ about 1,960 is 6.6
        sizing.coresEach shouldBe 1
        sizing.atMost shouldBe false
        judgeKnee(kneeRecordOf(listOf(1.0), listOf(10.0, 10.0), question)).sizing.shouldBeNull()
    }

    @Test
    fun `throughput that is the same at every concurrency is told as that, although nothing is explained`() {
        val flat = (0..4).map { 1 shl it }.mapIndexed { index, users ->
            val rate = 2_000.0 + if (index % 2 == 0) 2 else -2
            closedProbes()[index].let { it.copy(sample = sampleOf(rate, users, 50.0).copy(situation = "p$index")) }
        }
        val scalability = judgeKnee(kneeRecordOf(listOf(2_000.0), around2000, closed = flat)).scalability!!
        scalability.fit!!.let { (it.good && it.rSquared < 0.9) shouldBe true }
        scalability.words() shouldContain "Throughput does not grow with concurrency: it is the same from 1 to 16"
        val falling = (0..5).map { 1 shl it }.mapIndexed { index, users ->
            val rate = ScalabilityLaw(1_000.0, 0.9, 0.05).at(users.toDouble())
            closedProbes()[index].copy(sample = sampleOf(rate, users, 50.0).copy(situation = "p$index"))
        }
        judgeKnee(kneeRecordOf(listOf(2_000.0), around2000, closed = falling)).scalability!!.words() shouldNotContain
            "is the same"
    }

    @Test
    fun `the law of the closed loads comes out with its peak`() {
        val scalability = judgeKnee(kneeRecordOf(listOf(2_000.0), around2000)).scalability.shouldNotBeNull()
        val fit = scalability.fit.shouldNotBeNull()
        fit.sigma.value shouldBe (0.1 plusOrMinus 0.005)
        fit.kappa.value shouldBe (0.002 plusOrMinus 0.0001)
        fit.peakConcurrency.shouldNotBeNull() shouldBe (21.2 plusOrMinus 1.0)
        fit.curve.maxOf { it.concurrency } shouldBe (128.0 plusOrMinus 1e-6)
        (fit.good && fit.peakWasMeasured) shouldBe true
        fun withFirst(points: Int) =
            judgeKnee(kneeRecordOf(listOf(2_000.0), around2000, closed = closedProbes().take(points)))
        withFirst(3).scalability!!.let { it.fit.shouldBeNull(); it.minPoints shouldBe 5 }
        withFirst(5).scalability!!.fit!!.peakWasMeasured shouldBe false
    }
}
