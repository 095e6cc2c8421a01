package threadgauge.knee

import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import kotlin.math.abs
import kotlin.math.ln
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.recordOf
import threadgauge.judge.sampleOf
import threadgauge.model.Counts
import threadgauge.model.Latency
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.Load
import threadgauge.model.LoadSecond
import threadgauge.model.Slo
import threadgauge.model.judgement.ProbeOutcome
import threadgauge.model.plan.KneeQuestion
import threadgauge.model.plan.Probe
import threadgauge.stats.MadeUpProbe
import threadgauge.stats.MadeUpServer
import threadgauge.stats.shareOf

/** The search played on made-up servers whose knee is known. */
@Tag("slow")
class KneeSearchTest {
    private class Found(val posterior: KneePosterior, val probes: Int, val seconds: Double) {
        val median = posterior.median
        val interval = posterior.interval()
    }

    private val question = KneeQuestion(Slo(listOf(LatencyGoal(LatencyMeasure.P99, 100_000.0)), 0.001))

    private fun search(server: MadeUpServer, capacity: Double): Found {
        val steps = KneeSteps(question, environment)
        val probes = arrayListOf(closed(capacity))
        var seconds = 0.0
        while (true) {
            val step = steps.rate(probes) as? SearchStep.Try ?: break
            val length = if (step.near) 5.0 else 2.5
            seconds += length + 0.7
            probes += open(server.probe(step.perSecond, length), step.perSecond)
        }
        val judged = probes.map { judgeProbe(question.slo, 1, it, environment) }
        val found = posterior(steps.rule(judged), attempts(judged))
        return Found(found, probes.size - 1, seconds)
    }

    private fun closed(perSecond: Double) =
        Probe(Load.Users(16, 1_500_000_000), sampleOf(perSecond, 16, 50.0), recoveryMillis = 0.0)

    private fun open(probe: MadeUpProbe, perSecond: Double): Probe {
        val count = probe.arrivals.size.toLong()
        fun micros(share: Double) = probe.percentile(share) * 1e6
        val latency = Latency(
            count, probe.latencies.average() * 1e6, micros(0.0), micros(0.5), micros(0.9), micros(0.99), micros(0.999),
            micros(1.0),
        )
        val medians = probe.medians()
        val seconds = medians.mapIndexed { second, median -> LoadSecond(second, 0, 0, 0, 0, p50Micros = median * 1e6) }
        val sent = seconds.ifEmpty { listOf(LoadSecond(0, 0, 0, 0, 0)) }
            .let { listOf(it.first().copy(sent = count)) + it.drop(1) }
        val sample = sampleOf(perSecond, 16, 50.0).copy(
            situation = "probe", windowMillis = probe.seconds * 1e3, counts = Counts(count, count, count, 0, 0),
            latency = latency,
            serviceTime = latency, seconds = sent,
        )
        return Probe(Load.Poisson(perSecond, (probe.seconds * 1e9).toLong()), sample, recoveryMillis = 0.0)
    }

    private val environment = recordOf(mapOf("a" to listOf(1.0))).environment

    /**
     * The rate at which half of the probes of this length keep the goals, by trying many at each of a range of rates.
     */
    private fun halfKept(rates: IntProgression, seconds: Double, tries: Int, server: MadeUpServer): Double =
        rates.first { rate ->
            shareOf(tries) {
                val probe = open(server.probe(rate.toDouble(), seconds), rate.toDouble())
                judgeProbe(question.slo, 1, probe, environment).outcome == ProbeOutcome.KEPT
            } < 0.5
        }.toDouble()

    @Test
    fun `a cap of 2,000 per second is found within 5 % in 38 of 40 searches, each in less than two minutes`() {
        val found = (1..40).map { search(MadeUpServer.capped(2_000.0, it.toLong()), 2_000.0) }
        found.count { abs(it.median / 2_000 - 1) <= 0.05 } shouldBeGreaterThanOrEqual 38
        found.maxOf { it.seconds } shouldBeLessThan 120.0
        found.maxOf { it.probes } shouldBeLessThanOrEqual question.maxProbes
        // The interval must hold the cap in 38 of 40; two standard errors are three.
        found.count { 2_000.0 in it.interval } shouldBeGreaterThanOrEqual 35
    }

    @Test
    fun `the knee of a queue with exponential service is where half of the probes keep, and the interval holds it`() {
        val knee = halfKept(440..500 step 4, 5.0, 100, MadeUpServer.exponential(500.0, 77))
        val found = (1..40).map { search(MadeUpServer.exponential(500.0, it.toLong()), 500.0) }
        found.count { abs(it.median / knee - 1) <= 0.05 } shouldBeGreaterThanOrEqual 38
        found.count { knee in it.interval } shouldBeGreaterThanOrEqual 35
    }

    @Test
    fun `longer probes come nearer to what the formula of the M-M-1 queue says of all time`() {
        // p99 of the time in system is ln 100 ÷ (μ − λ): 100 ms at 454 per second. A queue takes long to fill, so short
        // probes see less.
        val forEver = 500 - ln(100.0) / 0.1
        val short = halfKept(440..500 step 4, 5.0, 60, MadeUpServer.exponential(500.0, 78))
        val long = halfKept(440..500 step 4, 60.0, 20, MadeUpServer.exponential(500.0, 79))
        long shouldBeLessThan short
        abs(long / forEver - 1) shouldBeLessThan 0.03
    }

    @Test
    fun `the interval of the ratio of two knees holds it, and leaves no doubt about a difference of a third`() {
        fun ratioTo(capacity: Double, seed: Long) = search(MadeUpServer.capped(2_000.0, seed), 2_000.0).posterior
            .ratioTo(search(MadeUpServer.capped(capacity, seed + 1_000), capacity).posterior)
        val equal = (1..40).map { ratioTo(2_000.0, it.toLong()) }
        equal.count { 1.0 in it } shouldBeGreaterThanOrEqual 35
        val third = (1..20).map { ratioTo(1_500.0, it.toLong()) }
        third.count { 4.0 / 3 in it } shouldBeGreaterThanOrEqual 17
        third.count { it.low > 1.03 } shouldBeGreaterThanOrEqual 18
    }

    @Test
    fun `hiccups of the server widen the interval and do not move the knee`() {
        val found = (1..20).map { search(MadeUpServer.noisy(2_000.0, it.toLong()), 2_000.0) }
        found.count { it.median in 1_850.0..2_050.0 } shouldBeGreaterThanOrEqual 18
    }
}
