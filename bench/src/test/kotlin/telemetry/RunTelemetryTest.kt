package threadgauge.telemetry

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.net.InetSocketAddress
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.io.path.readText
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import threadgauge.model.Record
import threadgauge.model.RunState
import threadgauge.model.Sample
import threadgauge.model.failure.TelemetryFault
import threadgauge.run.RunEvent
import threadgauge.run.TinyBlock
import threadgauge.run.isRound

/** A whole run of real processes that is followed by a collector and by a scrape. */
@Tag("processes")
class RunTelemetryTest {
    @TempDir
    lateinit var temporary: Path

    private val block by lazy { TinyBlock(temporary) }
    private val faults = CopyOnWriteArrayList<TelemetryFault>()

    @Test
    fun `the last push and the last scrape have the sums of the record`(): Unit = Collector().use { collector ->
        val order = TelemetryOrder(OtlpOrder(collector.url, mapOf("X-Key" to SECRET)), LOOPBACK)
        var scraped = ""
        val record = run(order) { event, telemetry ->
            // After the last step of the run, before it is over.
            if (event is RunEvent.BlockEnded) scraped = scrapeUntilEnded(telemetry)
        }
        record.state shouldBe RunState.COMPLETE
        faults.shouldBeEmpty()
        val pushes = collector.all()
        pushes.size shouldBeGreaterThan 0
        val last = pushes.last()
        val page = Exposition.of(scraped)
        for ((trial, sample) in record.trials.flatMap { trial -> trial.samples.map { trial to it } }) {
            val of = mapOf(
                "threadgauge.experiment" to "block", "threadgauge.stack" to trial.stack,
                "threadgauge.trial" to trial.number.toLong(), "threadgauge.situation" to sample.situation,
            )
            pushed(last, of, sample)
            scraped(page, of, sample)
        }
        temporary.resolve("record/record.json").readText().contains(SECRET) shouldBe false
        last.metric(Metric.PHASE).numbers.single { it.asInt == 1L }
            .attributesList.values()["threadgauge.phase"] shouldBe "ended"
        last.metric(Metric.TRIALS).numbers.sumOf { it.asInt } shouldBe 2
        awaitNoThreads()
    }

    @Test
    fun `an interrupted run sends what it has and stops everything`(): Unit = Collector().use { collector ->
        val record = run(TelemetryOrder(OtlpOrder(collector.url))) { event, _ ->
            if (event.isRound(3)) block.cancellation.cancel()
        }
        record.state shouldBe RunState.INTERRUPTED
        val sent = collector.all().last().metric(Metric.SENT).numbers.sumOf { it.asInt }
        // What was measured after the last complete round is no part of the record.
        sent shouldBeGreaterThan record.trials.sumOf { trial -> trial.samples.sumOf { it.counts.sent } } - 1
        block.left().shouldBeEmpty()
        awaitNoThreads()
    }

    private fun pushed(push: Collector.Push, of: Map<String, Any>, sample: Sample) {
        fun sum(metric: Metric) = push.scope.metricsList.filter { it.name == metric.id }.flatMap { it.numbers }
            .filter { it.attributesList.values().entries.containsAll(of.entries) }.sumOf { it.number }
        sum(Metric.SENT) shouldBe sample.counts.sent.toDouble()
        sum(Metric.SCHEDULED) shouldBe sample.counts.scheduled.toDouble()
        sum(Metric.ANSWERED) shouldBe sample.counts.answered.toDouble()
        sum(Metric.FAILED) shouldBe sample.counts.failed.toDouble()
        sum(Metric.LOAD_TIME) shouldBe (sample.windowMillis / 1e3 plusOrMinus 1e-6)
        sum(Metric.TARGET_CPU) shouldBe (sample.cost.cpuMillis.shouldNotBeNull() / 1e3 plusOrMinus 1e-6)
        fun times(metric: Metric) =
            push.metric(metric).times.single { it.attributesList.values().entries.containsAll(of.entries) }
        val latency = times(Metric.LATENCY)
        latency.count shouldBe sample.latency.count
        latency.sum / latency.count * 1e6 shouldBe
            (sample.latency.meanMicros plusOrMinus sample.latency.meanMicros / 1e6)
        times(Metric.REQUEST_DURATION).count shouldBe sample.serviceTime.count
        times(Metric.SEND_DELAY).count shouldBe sample.sendDelay.count
        times(Metric.REQUEST_DURATION).attributesList.values()["http.response.status_code"] shouldBe 200L
    }

    private fun scraped(page: Exposition, of: Map<String, Any>, sample: Sample) {
        val labels = of.map { (name, value) -> name.replace('.', '_') to "$value" }.toTypedArray()
        fun sum(name: String) = page.samples(name, *labels).sumOf { it.value }
        sum("threadgauge_requests_sent_total") shouldBe sample.counts.sent.toDouble()
        sum("threadgauge_requests_answered_total") shouldBe sample.counts.answered.toDouble()
        sum("threadgauge_requests_failed_total") shouldBe sample.counts.failed.toDouble()
        sum("threadgauge_request_latency_seconds_count") shouldBe sample.latency.count.toDouble()
        page.samples("http_client_request_duration_seconds_count", *labels).map { it.value } shouldContain
            sample.serviceTime.count.toDouble()
    }

    private fun run(order: TelemetryOrder, hear: (RunEvent, Telemetry) -> Unit): Record {
        val plan = block.planOf(listOf("a", "b").map { block.stackOf(it) })
        return Telemetry.open(order, plan.experiment.name, "run-1", faults::add).use { telemetry ->
            block.run(plan) {
                telemetry.hear(it)
                hear(it, telemetry)
            }
        }
    }

    /** The page is made once a second; this waits for one that has the end of the block. */
    private fun scrapeUntilEnded(telemetry: Telemetry): String {
        val url = URI("http://127.0.0.1:${telemetry.scraped.shouldNotBeNull().port}/metrics").toURL()
        val endNanos = System.nanoTime() + PATIENCE_NANOS
        while (true) {
            val text = url.readText()
            if ("threadgauge_trials_total" in text) return text
            check(System.nanoTime() < endNanos) { "no page of the whole block:\n$text" }
            Thread.sleep(20)
        }
    }

    private fun awaitNoThreads() {
        val endNanos = System.nanoTime() + PATIENCE_NANOS
        while (true) {
            val left = Thread.getAllStackTraces().keys.map { it.name }.filter { it in OWN_THREADS }
            if (left.isEmpty()) return
            check(System.nanoTime() < endNanos) { "threads are left: $left" }
            Thread.sleep(20)
        }
    }

    private companion object {
        val OWN_THREADS = setOf("telemetry", "prometheus", "otlp")
        const val SECRET = "s3cr3t"
        const val PATIENCE_NANOS = 30_000_000_000L
        val LOOPBACK = InetSocketAddress("127.0.0.1", 0)
    }
}
