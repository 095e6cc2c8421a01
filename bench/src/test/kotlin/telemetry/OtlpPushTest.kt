package threadgauge.telemetry

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE
import io.opentelemetry.proto.metrics.v1.NumberDataPoint
import java.net.InetAddress
import java.net.ServerSocket
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.system.measureTimeMillis
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.VERSION
import threadgauge.model.failure.CollectorTrouble
import threadgauge.model.failure.TelemetryFault
import threadgauge.target.Target
import threadgauge.wording.failure.words

/** What a collector receives, read by the protocol's own parser. */
@Tag("ports")
class OtlpPushTest {
    private val faults = CopyOnWriteArrayList<TelemetryFault>()
    private val figures = RunFigures("checkout")

    @Test
    fun `a collector receives what was measured, with units, attributes and temporality`() {
        val push = pushed()
        push.path shouldBe "/v1/metrics"
        push.headers["content-type"] shouldBe "application/x-protobuf"
        push.headers["x-scope"] shouldBe SECRET
        push.resource.resource.attributesList.values() shouldBe mapOf(
            "service.name" to "threadgauge", "service.version" to VERSION, "service.instance.id" to "run-1",
        )
        push.scope.scope.name shouldBe "threadgauge"
        faults.shouldBeEmpty()

        val ofLoad = mapOf(
            "threadgauge.experiment" to "checkout", "threadgauge.stack" to "shop", "threadgauge.trial" to 2L,
            "threadgauge.situation" to "hello",
        )
        push.metric(Metric.SENT).run {
            name shouldBe "threadgauge.requests.sent"
            unit shouldBe "{request}"
            sum.isMonotonic shouldBe true
            sum.aggregationTemporality shouldBe AGGREGATION_TEMPORALITY_CUMULATIVE
            val point = numbers.single()
            point.valueCase shouldBe NumberDataPoint.ValueCase.AS_INT
            point.asInt shouldBe 8
            point.attributesList.values() shouldBe ofLoad
            point.startTimeUnixNano shouldBeGreaterThan 1_700_000_000_000_000_000
            point.timeUnixNano shouldBeGreaterThan point.startTimeUnixNano - 1
        }
        push.metric(Metric.FAILED).numbers.associate { it.attributesList.values()["error.type"] to it.asInt } shouldBe
            mapOf("server_error" to 1L, "unfinished" to 2L, "unsent" to 2L)
        push.metric(Metric.ACTIVE_REQUESTS).run {
            name shouldBe "http.client.active_requests"
            sum.isMonotonic shouldBe false
        }
        push.metric(Metric.TARGET_CPU).run {
            unit shouldBe "s"
            numbers.associate { it.attributesList.values()["cpu.mode"] to it.asDouble } shouldBe
                mapOf("user" to 0.5, "system" to 0.25)
        }
        push.metric(Metric.TARGET_MEMORY).run {
            unit shouldBe "By"
            gauge.dataPointsList.single().asInt shouldBe 50_000_000
        }
    }

    @Test
    fun `durations are a histogram in seconds, with the names of the HTTP conventions`() {
        val metric = pushed().metric(Metric.REQUEST_DURATION)
        metric.name shouldBe "http.client.request.duration"
        metric.unit shouldBe "s"
        metric.histogram.aggregationTemporality shouldBe AGGREGATION_TEMPORALITY_CUMULATIVE
        val point = metric.times.single()
        point.explicitBoundsList shouldContainExactly Point.BOUNDS
        point.bucketCountsList.sum() shouldBe point.count
        point.count shouldBe 5
        point.sum shouldBe (12.0066 plusOrMinus 0.012)
        point.min shouldBe (0.0002 plusOrMinus 0.000_001)
        point.max shouldBe (12.0 plusOrMinus 0.012)
        val attributes = point.attributesList.values()
        attributes["http.request.method"] shouldBe "GET"
        attributes["http.response.status_code"] shouldBe 200L
        attributes["server.address"] shouldBe "127.0.0.1"
        attributes["server.port"] shouldBe 8080L
    }

    @Test
    fun `a later push has the sums from the same start`() {
        Collector().use { collector ->
            OtlpPush(OtlpOrder(collector.url), "run-1", faults::add).use { push ->
                LoadEvents.load().forEach(figures::hear)
                push.publish(figures.snapshot())
                val first = collector.next().shouldNotBeNull().metric(Metric.SENT).numbers.single()
                LoadEvents.load().forEach(figures::hear)
                push.end(figures.snapshot())
                val last = collector.next().shouldNotBeNull().metric(Metric.SENT).numbers.single()
                last.asInt shouldBe 2 * first.asInt
                last.startTimeUnixNano shouldBe first.startTimeUnixNano
            }
        }
    }

    @Test
    fun `a collector that rejects is reported with its status, without the header, and left alone for a while`() {
        Collector(status = 401).use { collector ->
            val order = OtlpOrder("${collector.url}?key=$SECRET", mapOf("Authorization" to SECRET))
            OtlpPush(order, "run-1", faults::add).use { push ->
                push.end(figures.snapshot())
                collector.next().shouldNotBeNull()
                faults.single() shouldBe TelemetryFault.Rejected("${collector.url}/v1/metrics", 401)
                push.publish(figures.snapshot())
                collector.next(millis = 500).shouldBeNull()
            }
        }
        faults.single().words().run {
            this shouldContain "status 401"
            this shouldContain "--otlp-header"
            this shouldNotContain SECRET
        }
    }

    @Test
    fun `a collector that is not there costs no time and is reported`() {
        val order = OtlpOrder("http://127.0.0.1:${Target.freePort()}", mapOf("Authorization" to SECRET))
        OtlpPush(order, "run-1", faults::add).use { push ->
            measureTimeMillis { push.publish(figures.snapshot()) } shouldBeLessThan 1_000
            push.end(figures.snapshot())
        }
        faults.first().shouldBe(TelemetryFault.NotReached(placeOf(order.url), CollectorTrouble.REFUSED))
        faults.first().words() shouldNotContain SECRET
    }

    @Test
    fun `a collector that never answers holds the end up for seconds at most`() {
        ServerSocket(0, 5, InetAddress.getLoopbackAddress()).use { silent ->
            val push = OtlpPush(OtlpOrder("http://127.0.0.1:${silent.localPort}"), "run-1", faults::add)
            val took = measureTimeMillis {
                push.end(figures.snapshot())
                push.close()
            }
            took shouldBeLessThan 4_000
            faults.first() shouldBe
                TelemetryFault.NotReached("http://127.0.0.1:${silent.localPort}/v1/metrics", CollectorTrouble.TIMEOUT)
        }
    }

    @Test
    fun `the path of metrics is added to a base and kept where it is there`() {
        metricsUrl("http://c:4318") shouldBe "http://c:4318/v1/metrics"
        metricsUrl("http://c:4318/") shouldBe "http://c:4318/v1/metrics"
        metricsUrl("https://c/otlp") shouldBe "https://c/otlp/v1/metrics"
        metricsUrl("https://c/otlp/v1/metrics") shouldBe "https://c/otlp/v1/metrics"
        metricsUrl("https://c/otlp?key=1") shouldBe "https://c/otlp/v1/metrics?key=1"
        placeOf("https://c/otlp?key=1") shouldBe "https://c/otlp/v1/metrics"
    }

    private fun pushed(): Collector.Push = Collector().use { collector ->
        LoadEvents.load().forEach(figures::hear)
        OtlpPush(OtlpOrder(collector.url, mapOf("X-Scope" to SECRET)), "run-1", faults::add).use {
            it.end(figures.snapshot())
        }
        collector.all().single()
    }

    private companion object {
        const val SECRET = "s3cr3t"
    }
}
