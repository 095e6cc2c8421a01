package threadgauge.wording.knee

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.model.Latency
import threadgauge.model.Load
import threadgauge.model.RunState
import threadgauge.model.Slo
import threadgauge.model.judgement.Estimated
import threadgauge.model.judgement.JudgedProbe
import threadgauge.model.judgement.Knee
import threadgauge.model.judgement.KneeJudgement
import threadgauge.model.judgement.KneeOutcome
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.ProbeReason
import threadgauge.model.judgement.Scalability
import threadgauge.model.judgement.ScalabilityFit
import threadgauge.model.judgement.ScalabilityPoint
import threadgauge.model.judgement.Sizing
import threadgauge.model.plan.KneeQuestion

/** On data made by hand: no record and no search is needed to see a sentence. */
class AnswerWordsTest {
    private val knee = Knee(1_991.4, 1_888.0, 2_084.0)
    private val latency = Latency(1, 1.0, 1.0, 1.0, 1.0, 1.0, null, 1.0)
    private val broken = JudgedProbe(
        1, "probe-01", Load.Poisson(12.5, 1), 12.5, 12.5, latency, 0.0, ProbeOutcome.BROKEN,
        listOf(ProbeReason.TooManyErrors(0.5, 0.001), ProbeReason.NotSent(0.5)), hlog = "x.hlog",
    )

    private fun judged(outcome: KneeOutcome, knee: Knee? = null, highestKept: Double? = null) = KneeJudgement(
        "r-1", RunState.COMPLETE, "Shop", KneeQuestion(Slo.USUAL, toPerSecond = 2_000.0), outcome, knee, highestKept,
        processes = listOf(knee), probes = listOf(broken),
    )

    @Test
    fun `each outcome of a search is one answer`() {
        judged(KneeOutcome.FOUND, knee).words() shouldBe
            "Shop meets p99<100ms, errors<0.1% up to 1,991/s (1,888 to 2,084)."
        judged(KneeOutcome.NEVER_BROKEN, highestKept = 1_995.0).words() shouldBe
            "Shop meets p99<100ms, errors<0.1% up to at least 1,995/s. The search went no higher than 2,000/s."
        judged(KneeOutcome.AGENT_IS_THE_LIMIT, highestKept = 99.0).words() shouldBe
            "Shop meets p99<100ms, errors<0.1% up to at least 99.0/s. " +
            "The load agent cannot send more on this machine, so the limit of the target is unknown."
        judged(KneeOutcome.NEVER_KEPT).words() shouldBe
            "Shop does not meet p99<100ms, errors<0.1% even at the lowest rate. " +
            "At 12.5/s: 50 % of the requests failed (limit 0.1 %); " +
            "only 50 % of the requests were sent in time (99 % needed)."
        judged(KneeOutcome.CANNOT_TELL).words() shouldBe
            "Cannot tell up to which rate Shop meets p99<100ms, errors<0.1%: the probes are inconclusive."
    }

    @Test
    fun `how the knee was looked for depends on the number of processes`() {
        val one = judged(KneeOutcome.FOUND, knee)
        one.methodWords() shouldBe
            "One fresh process, warmed up: 1 probe with Poisson arrivals, 5 s each near the knee. " +
            "The 95 % interval is that of this one process."
        one.copy(processes = List(2) { knee }).methodWords() shouldContain "spans the 95 % intervals of both"
        one.copy(processes = List(3) { knee }).methodWords() shouldContain "includes the differences"
        one.copy(processes = emptyList(), knee = null).methodWords() shouldBe "No process was measured."
    }

    @Test
    fun `replicas are reckoned with the lower end, or at most with what was met`() {
        val sizing = Sizing(10_000.0, 0.125, 1_888.0, 6, coresEach = 1, atMost = false)
        sizing.words() shouldContain
            "For 10,000/s with 12.5 % headroom: 6 replicas of 1 core each, " +
            "at 1,888/s per replica (the lower end of the interval)."
        sizing.copy(replicas = 1, coresEach = null, atMost = true).words() shouldContain
            "headroom: at most 1 replica, at 1,888/s per replica (the highest rate that met the goals)."
    }

    @Test
    fun `a fitted law is told with its quality, and a peak that nobody saw as an extrapolation`() {
        val points = listOf(1, 2, 4, 8, 16).map { ScalabilityPoint(it, it * 100.0, "probe-$it", 1) }
        val none = Estimated(0.0, 0.0, 0.0)
        val fit = ScalabilityFit(
            none, none, none, 0.987, 0.021, good = true, 21.2, 1_094.0, peakWasMeasured = true, emptyList(),
        )
        fun words(fit: ScalabilityFit?) = Scalability(points, minPoints = 5, fit).words()
        words(fit) shouldBe
            "Throughput peaks at 1,094/s with about 21 concurrent requests (typical error 2.1 %, R² 0.987)."
        words(fit.copy(peakWasMeasured = false)) shouldContain "an extrapolation: no more than 16 were measured."
        words(fit.copy(peakConcurrency = null)) shouldContain "Throughput has no peak up to 16 concurrent requests"
        words(fit.copy(good = false)) shouldContain "does not fit well (typical error 2.1 %, R² 0.987)"
        words(null) shouldContain "needs throughput at 5 levels of concurrency, and 5 were measured"
    }
}
