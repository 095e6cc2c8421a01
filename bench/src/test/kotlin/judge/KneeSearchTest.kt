package threadgauge.judge

import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.Counts
import threadgauge.model.Latency
import threadgauge.model.Load
import threadgauge.model.KneeQuestion
import threadgauge.model.LatencyGoal
import threadgauge.model.LatencyMeasure
import threadgauge.model.LoadSecond
import threadgauge.model.Probe
import threadgauge.model.Slo
import threadgauge.stats.Interval
import threadgauge.stats.MadeUpProbe
import threadgauge.stats.MadeUpServer
import threadgauge.stats.SearchStep
import threadgauge.stats.kneeOfExponential
import threadgauge.stats.posterior
import threadgauge.stats.shareOf
import kotlin.math.abs

/** The search played on made-up servers whose knee is known. */
class KneeSearchTest {
    private class Found(val median: Double, val interval: Interval, val probes: Int, val seconds: Double)

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
        val found = posterior(steps.rule(judged), trials(judged))
        return Found(found.median, found.interval(), probes.size - 1, seconds)
    }

    private fun closed(perSecond: Double) = Probe(Load.Users(16, 1_500_000_000), sampleOf(perSecond, 16, 50.0), recoveryMillis = 0.0)

    private fun open(probe: MadeUpProbe, perSecond: Double): Probe {
        val count = probe.arrivals.size.toLong()
        fun micros(share: Double) = probe.percentile(share) * 1e6
        val latency = Latency(
            count, probe.latencies.average() * 1e6, micros(0.0), micros(0.5), micros(0.9), micros(0.99), micros(0.999), micros(1.0),
        )
        val medians = probe.medians()
        val seconds = medians.mapIndexed { second, median -> LoadSecond(second, 0, 0, 0, 0, p50Micros = median * 1e6) }
        val sent = seconds.ifEmpty { listOf(LoadSecond(0, 0, 0, 0, 0)) }.let { listOf(it.first().copy(sent = count)) + it.drop(1) }
        val sample = sampleOf(perSecond, 16, 50.0).copy(
            situation = "probe", windowMillis = probe.seconds * 1e3, counts = Counts(count, count, count, 0, 0), latency = latency,
            serviceTime = latency, seconds = sent,
        )
        return Probe(Load.Poisson(perSecond, (probe.seconds * 1e9).toLong()), sample, recoveryMillis = 0.0)
    }

    private val environment = recordOf(mapOf("a" to listOf(1.0))).environment

    @Test
    fun `a cap of 2,000 per second is found within 5 % in 95 of 100 searches, each in less than two minutes`() {
        val found = (1..100).map { search(MadeUpServer.capped(2_000.0, it.toLong()), 2_000.0) }
        println(found.map { it.median.toInt() }.sorted() + " probes " + found.map { it.probes }.average() + " sec " + found.map { it.seconds }.max() + " w " + found.map { it.interval.high/it.interval.low-1 }.average())
        found.count { abs(it.median / 2_000 - 1) <= 0.05 } / 100.0 shouldBeGreaterThan 0.949
        found.maxOf { it.seconds } shouldBeLessThan 120.0
        found.maxOf { it.probes } shouldBeLessThanOrEqual question.mostProbes
    }

    @Test
    fun `the interval holds the cap in 95 of 100 searches`() {
        val found = (1..200).map { search(MadeUpServer.capped(2_000.0, it + 1_000L), 2_000.0) }
        println("covered capped " + found.count { 2000.0 in it.interval })
        // A probe of five seconds cannot tell a cap from a rate half a per cent above it, so that much is allowed.
        shareOf(200) { found[it - 1].interval.let { i -> i.low <= 2_000 * 1.005 && i.high >= 2_000 * 0.995 } } shouldBeGreaterThan 0.93
    }

    @Test
    fun `the knee of a queue with exponential service is found where its formula puts it`() {
        val true500 = kneeOfExponential(500.0, 0.1)
        val found = (1..200).map { search(MadeUpServer.exponential(500.0, it.toLong()), 500.0) }
        println("mm1 true " + true500 + found.map { it.median.toInt() }.sorted() + " covered " + found.count { true500 in it.interval } + " probes " + found.map { it.probes }.average()+ " w " + found.map { it.interval.high/it.interval.low-1 }.average())
        found.count { abs(it.median / true500 - 1) <= 0.05 } / 200.0 shouldBeGreaterThan 0.9
        shareOf(200) { true500 in found[it - 1].interval } shouldBeGreaterThan 0.90
    }

    @Test
    fun `hiccups of the server widen the interval and do not move the knee`() {
        val found = (1..100).map { search(MadeUpServer.noisy(2_000.0, it.toLong()), 2_000.0) }
        println("noisy " + found.map { it.median.toInt() }.sorted() + " probes " + found.map { it.probes }.average()+ " w " + found.map { it.interval.high/it.interval.low-1 }.average())
        found.count { it.median in 1_850.0..2_050.0 } / 100.0 shouldBeGreaterThan 0.9
    }
}
