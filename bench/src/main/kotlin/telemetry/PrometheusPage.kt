package threadgauge.telemetry

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets
import io.prometheus.metrics.model.snapshots.CounterSnapshot
import io.prometheus.metrics.model.snapshots.Exemplars
import io.prometheus.metrics.model.snapshots.GaugeSnapshot
import io.prometheus.metrics.model.snapshots.HistogramSnapshot
import io.prometheus.metrics.model.snapshots.InfoSnapshot
import io.prometheus.metrics.model.snapshots.Labels
import io.prometheus.metrics.model.snapshots.MetricSnapshot
import io.prometheus.metrics.model.snapshots.MetricSnapshots
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.BindException
import java.net.InetSocketAddress
import java.util.concurrent.Executors
import threadgauge.model.failure.Failed
import threadgauge.model.failure.Failure

/**
 * Serves figures at `/metrics` in the text format of Prometheus. The text is made by [publish], where that disturbs
 * nothing; a scrape only sends it. Names are those that a collector makes of OpenTelemetry's, so that the same queries
 * fit both. [run] is the name of the record.
 *
 * This class is loaded, and with it the library of Prometheus, only where a run is scraped. The constructor opens the
 * port and throws [Failed] if it is in use.
 */
internal class PrometheusPage(address: InetSocketAddress, private val run: String) : TelemetryOutput {
    private val server: HttpServer = try {
        HttpServer.create(address, 0)
    } catch (_: BindException) {
        throw Failed(Failure.Port(address.port, OPTION))
    }
    private val answering = Executors.newSingleThreadExecutor { Thread(it, "prometheus").apply { isDaemon = true } }
    private val writer = PrometheusTextFormatWriter.create()

    @Volatile
    private var text = ByteArray(0)

    init {
        server.createContext("/") { exchange -> exchange.use(::answer) }
        server.executor = answering
        server.start()
    }

    /** Where it is served; the port that was chosen if the address had none. */
    val address: InetSocketAddress get() = server.address

    override val everyNanos: Long get() = EVERY_NANOS

    override fun publish(figures: List<MetricPoints>) {
        val out = ByteArrayOutputStream(text.size + SPARE_BYTES)
        writer.write(out, MetricSnapshots(figures.map(::snapshot) + aboutTheRun()))
        text = out.toByteArray()
    }

    /** A scrape cannot be waited for. */
    override fun end(figures: List<MetricPoints>) = publish(figures)

    override fun close() {
        server.stop(0)
        answering.shutdownNow()
    }

    private fun answer(exchange: HttpExchange) {
        val isPage = exchange.requestURI.path == PATH
        val isRead = exchange.requestMethod == "GET" || exchange.requestMethod == "HEAD"
        when {
            !isPage -> exchange.sendResponseHeaders(NOT_FOUND, -1)
            !isRead -> {
                exchange.responseHeaders["Allow"] = "GET, HEAD"
                exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, -1)
            }
            else -> send(exchange, text)
        }
    }

    private fun send(exchange: HttpExchange, body: ByteArray) {
        exchange.responseHeaders["Content-Type"] = PrometheusTextFormatWriter.CONTENT_TYPE
        if (exchange.requestMethod == "HEAD") return exchange.sendResponseHeaders(OK, -1)
        exchange.sendResponseHeaders(OK, if (body.isEmpty()) -1 else body.size.toLong())
        try {
            exchange.responseBody.write(body)
        } catch (_: IOException) {
            // Whoever scraped has gone.
        }
    }

    /** As OpenTelemetry's collector describes a resource. */
    private fun aboutTheRun() = InfoSnapshot.builder().name("target").help("What exports these figures")
        .dataPoint(InfoSnapshot.InfoDataPointSnapshot(labelsOf(resourceOf(run)))).build()

    private companion object {
        const val OPTION = "--prometheus"
        const val PATH = "/metrics"
        const val EVERY_NANOS = 1_000_000_000L
        const val SPARE_BYTES = 4_096
        const val OK = 200
        const val NOT_FOUND = 404
        const val METHOD_NOT_ALLOWED = 405
    }
}

/** The name in Prometheus, without the `_total` of a counter, by OpenTelemetry's rules for compatibility. */
internal fun prometheusName(metric: Metric): String {
    val unit = when {
        metric.unit.endsWith("/s") -> "_per_second"
        metric.unit == "s" -> "_seconds"
        metric.unit == "By" -> "_bytes"
        else -> ""
    }
    return labelName(metric.id) + unit
}

private fun labelName(attribute: String) = attribute.replace('.', '_')

private fun labelsOf(attributes: PointAttributes): Labels = Labels.of(
    attributes.keys.map(::labelName), attributes.values.map { "$it" },
)

private fun snapshot(points: MetricPoints): MetricSnapshot {
    val name = prometheusName(points.metric)
    val help = points.metric.description
    return when (points.metric.kind) {
        MetricKind.COUNTER -> CounterSnapshot.builder().name(name).help(help).apply {
            for (point in points.points.filterIsInstance<Point.Number>()) dataPoint(
                CounterSnapshot.CounterDataPointSnapshot(point.value, labelsOf(point.attributes), null, 0),
            )
        }.build()
        MetricKind.GAUGE, MetricKind.UP_DOWN_COUNTER -> GaugeSnapshot.builder().name(name).help(help).apply {
            for (point in points.points.filterIsInstance<Point.Number>()) dataPoint(
                GaugeSnapshot.GaugeDataPointSnapshot(point.value, labelsOf(point.attributes), null),
            )
        }.build()
        MetricKind.HISTOGRAM -> HistogramSnapshot.builder().name(name).help(help).apply {
            for (point in points.points.filterIsInstance<Point.Times>()) dataPoint(times(point))
        }.build()
    }
}

private val UPPER_BOUNDS = (Point.BOUNDS + Double.POSITIVE_INFINITY).toDoubleArray()

private fun times(point: Point.Times) = HistogramSnapshot.HistogramDataPointSnapshot(
    ClassicHistogramBuckets.of(UPPER_BOUNDS, point.counts.toLongArray()), point.sum, labelsOf(point.attributes),
    Exemplars.EMPTY, 0,
)
