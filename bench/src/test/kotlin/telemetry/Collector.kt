package threadgauge.telemetry

import com.sun.net.httpserver.HttpServer
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest
import io.opentelemetry.proto.common.v1.AnyValue
import io.opentelemetry.proto.common.v1.KeyValue
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint
import io.opentelemetry.proto.metrics.v1.Metric as ProtoMetric
import io.opentelemetry.proto.metrics.v1.NumberDataPoint
import java.net.InetSocketAddress
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

/** A server that takes OTLP over HTTP and answers with [status]. It reads requests by the protocol's own parser. */
internal class Collector(private val status: Int = 200) : AutoCloseable {
    class Push(val path: String, val headers: Map<String, String>, val request: ExportMetricsServiceRequest) {
        val resource get() = request.resourceMetricsList.single()
        val scope get() = resource.scopeMetricsList.single()

        fun metric(metric: Metric): ProtoMetric = scope.metricsList.single { it.name == metric.id }
    }

    private val pushes = LinkedBlockingQueue<Push>()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/") { exchange ->
            val headers = exchange.requestHeaders.mapKeys { it.key.lowercase() }.mapValues { it.value.first() }
            val request = ExportMetricsServiceRequest.parseFrom(exchange.requestBody)
            pushes += Push(exchange.requestURI.path, headers, request)
            exchange.sendResponseHeaders(status, -1)
            exchange.close()
        }
        start()
    }

    val url get() = "http://127.0.0.1:${server.address.port}"

    /** The next push; null if none comes in time. */
    fun next(millis: Long = 10_000): Push? = pushes.poll(millis, TimeUnit.MILLISECONDS)

    /** All pushes that have arrived. */
    fun all(): List<Push> = generateSequence { pushes.poll() }.toList()

    override fun close() = server.stop(0)
}

internal fun List<KeyValue>.values(): Map<String, Any> = associate { it.key to it.value.plain() }

private fun AnyValue.plain(): Any = when (valueCase) {
    AnyValue.ValueCase.INT_VALUE -> intValue
    AnyValue.ValueCase.STRING_VALUE -> stringValue
    else -> error("an attribute of type $valueCase")
}

internal val ProtoMetric.numbers: List<NumberDataPoint>
    get() = if (hasSum()) sum.dataPointsList else gauge.dataPointsList

internal val ProtoMetric.times: List<HistogramDataPoint> get() = histogram.dataPointsList

internal val NumberDataPoint.number: Double
    get() = if (valueCase == NumberDataPoint.ValueCase.AS_INT) asInt.toDouble() else asDouble
