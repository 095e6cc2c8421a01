package threadgauge.knee

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.recordOf
import threadgauge.judge.sampleOf
import threadgauge.model.AgentCeiling
import threadgauge.model.Latency
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Load
import threadgauge.model.LoadSecond
import threadgauge.model.Outcome
import threadgauge.model.Sample
import threadgauge.model.Slo
import threadgauge.model.judgement.ProbeNote
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.judgement.ProbeReason
import threadgauge.model.plan.Probe
import threadgauge.model.request.Connections

class KneeProbesTest {
    private val slo = Slo(listOf(LatencyGoal(LatencyMeasure.P99, 100_000.0)), 0.001)
    private val environment =
        recordOf(mapOf("a" to listOf(1.0))).environment.copy(agentCeiling = AgentCeiling(50_000.0, 20.0))
    private fun latency(p50: Double, p99: Double) = Latency(10_000, p50, 1.0, p50, p50, p99, p99, p99)

    /** 1,000 per second for ten seconds, with [medians] of each second in microseconds. */
    private fun probe(
        medians: List<Double> = List(10) { 5_000.0 },
        p99: Double = 20_000.0,
        edit: Sample.() -> Sample = { this },
    ): Probe {
        val seconds =
            medians.mapIndexed { second, median -> LoadSecond(second, 1_000, 1_000, 0, 5, p50Micros = median) }
        val sample = sampleOf(1_000.0, 5, 50.0).copy(
            windowMillis = 10_000.0, seconds = seconds,
            latency = latency(5_000.0, p99), serviceTime = latency(5_000.0, p99),
        )
        return Probe(
            Load.Poisson(1_000.0, 10_000_000_000), sample.copy(counts = counts(10_000)).edit(), recoveryMillis = 0.0,
        )
    }

    private fun counts(all: Long) = threadgauge.model.Counts(all, all, all, 0, 0)

    private fun judged(probe: Probe) = judgeProbe(slo, 1, probe, environment)

    @Test
    fun `a probe whose goals hold is kept, and nothing is said against it`() {
        val judged = judged(probe())
        judged.outcome shouldBe ProbeOutcome.KEPT
        judged.offeredPerSecond shouldBe 1_000.0
        judged.reasons.shouldBeEmpty()
        judged.notes.shouldBeEmpty()
    }

    @Test
    fun `each goal that is broken is named with its figure and limit`() {
        judged(probe(p99 = 120_000.0)).reasons.single() shouldBe
            ProbeReason.GoalBroken(LatencyMeasure.P99, 120_000.0, maxMicros = 100_000.0)
        val failing =
            probe { copy(counts = counts.copy(answered = 9_980, failures = mapOf(Outcome.SERVER_ERROR to 20L))) }
        judged(failing).outcome shouldBe ProbeOutcome.BROKEN
        judged(failing).reasons.single() shouldBe ProbeReason.TooManyErrors(0.002, max = 0.001)
    }

    @Test
    fun `a rate that was not sent was not kept`() {
        judged(probe { copy(seconds = seconds.map { it.copy(sent = 980) }) }).reasons.single() shouldBe
            ProbeReason.NotSent(0.98, min = 0.99)
        judged(probe { copy(seconds = seconds.map { it.copy(sent = 995) }) }).outcome shouldBe ProbeOutcome.KEPT
    }

    @Test
    fun `a queue that grows is broken although no goal is yet`() {
        // 1 % too much for the server: each second is 10 ms slower than the one before.
        val growing = judged(probe(medians = List(10) { 5_000.0 + 4_000.0 * it + (it % 3) * 300 }))
        growing.outcome shouldBe ProbeOutcome.BROKEN
        val reason = growing.reasons.single().shouldBeInstanceOf<ProbeReason.GrowingQueue>()
        (reason.firstMicros to reason.lastMicros) shouldBe (5_000.0 to 41_000.0)
        reason.growthMicrosPerSecond shouldBeLessThan 4_100.0
        reason.lastMicros + reason.growthMicrosPerSecond * reason.horizonSeconds shouldBeGreaterThan reason.maxMicros
    }

    @Test
    fun `a median that goes up and down, or creeps, is no growing queue`() {
        val restless = listOf(5.0, 40.0, 8.0, 30.0, 12.0, 45.0, 9.0, 20.0, 33.0, 7.0).map { it * 1e3 }
        judged(probe(medians = restless)).outcome shouldBe ProbeOutcome.KEPT
        judged(probe(medians = List(10) { 5_000.0 + 20.0 * it })).outcome shouldBe ProbeOutcome.KEPT
        judged(probe(medians = List(10) { 50_000.0 - 4_000.0 * it })).outcome shouldBe ProbeOutcome.KEPT
    }

    @Test
    fun `an agent that sent late, was busy, or was near its ceiling takes the blame`() {
        val late = probe(p99 = 120_000.0) { copy(serviceTime = latency(5_000.0, 20_000.0)) }
        judged(late).outcome shouldBe ProbeOutcome.LATE
        judged(late).reasons.first().shouldBeInstanceOf<ProbeReason.AgentLate>()
        val busy = judged(probe(p99 = 120_000.0) { copy(agent = agent.copy(cpuMillis = 9_500.0)) })
        busy.outcome shouldBe ProbeOutcome.AGENT
        busy.reasons.first() shouldBe ProbeReason.AgentBusy(0.95, max = 0.9)
        val full = judged(probe(p99 = 120_000.0) { copy(answeredInWindow = 400_000) })
        full.outcome shouldBe ProbeOutcome.AGENT
        full.reasons.first() shouldBe ProbeReason.AgentFull(0.8, max = 0.7)
        judged(probe { copy(answeredInWindow = 300_000) }).notes shouldBe
            listOf(ProbeNote.AgentNearLimit(0.6, sound = 0.5))
    }

    @Test
    fun `requests that waited for a connection because all were busy are the target's affair`() {
        val full = probe(p99 = 120_000.0) {
            copy(serviceTime = latency(5_000.0, 20_000.0), counts = counts.copy(connectionsOpened = 1_000))
        }
        judged(full.copy(connections = Connections(maxUnderWay = 1_000))).outcome shouldBe ProbeOutcome.BROKEN
    }

    @Test
    fun `few answers for a percentile are noted`() {
        judged(probe { copy(latency = latency.copy(count = 200)) }).notes shouldBe
            listOf(ProbeNote.FewAnswers(LatencyMeasure.P99, 200, needed = 1_000, longestTaken = false))
        val p999 = Slo(listOf(LatencyGoal(LatencyMeasure.P999, 10_000.0)))
        val judged =
            judgeProbe(p999, 1, probe { copy(latency = latency.copy(count = 900, p999Micros = null)) }, environment)
        judged.reasons shouldBe listOf(ProbeReason.GoalBroken(LatencyMeasure.P999, 20_000.0, maxMicros = 10_000.0))
        judged.notes shouldBe
            listOf(ProbeNote.FewAnswers(LatencyMeasure.P999, 900, needed = 10_000, longestTaken = true))
    }

    @Test
    fun `a closed load is put to no goal`() {
        val closed = Probe(Load.Users(8, 1_500_000_000), sampleOf(1_000.0, 8, 50.0), recoveryMillis = 0.0)
        judged(closed).let { it.outcome shouldBe null; it.reasons.shouldBeEmpty() }
    }
}
