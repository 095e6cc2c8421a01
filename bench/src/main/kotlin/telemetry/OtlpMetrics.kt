package threadgauge.telemetry

import io.opentelemetry.api.common.AttributeKey
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.sdk.common.InstrumentationScopeInfo
import io.opentelemetry.sdk.metrics.data.AggregationTemporality.CUMULATIVE
import io.opentelemetry.sdk.metrics.data.Data
import io.opentelemetry.sdk.metrics.data.DoublePointData
import io.opentelemetry.sdk.metrics.data.GaugeData
import io.opentelemetry.sdk.metrics.data.HistogramData
import io.opentelemetry.sdk.metrics.data.HistogramPointData
import io.opentelemetry.sdk.metrics.data.LongPointData
import io.opentelemetry.sdk.metrics.data.MetricData
import io.opentelemetry.sdk.metrics.data.MetricDataType
import io.opentelemetry.sdk.metrics.data.SumData
import io.opentelemetry.sdk.resources.Resource
import threadgauge.model.VERSION

/**
 * Figures as OpenTelemetry's library exports them. [run] is the name of the record; sums count from [startEpochNanos].
 */
internal class OtlpMetrics(run: String, private val startEpochNanos: Long) {
    private val resource = Resource.create(attributesOf(resourceOf(run)))
    private val scope = InstrumentationScopeInfo.builder("threadgauge").setVersion(VERSION).build()

    /** [figures] as of [atEpochNanos]. */
    fun of(figures: List<MetricPoints>, atEpochNanos: Long): List<MetricData> = figures.map { metric(it, atEpochNanos) }

    private fun metric(points: MetricPoints, now: Long): MetricData = when (points.metric.kind) {
        MetricKind.HISTOGRAM -> {
            val times = points.points.filterIsInstance<Point.Times>().map { times(it, now) }
            exported(points.metric, MetricDataType.HISTOGRAM, HistogramData.create(CUMULATIVE, times))
        }
        MetricKind.GAUGE ->
            if (points.metric.isWhole) {
                val whole = GaugeData.createLongGaugeData(whole(points, now))
                exported(points.metric, MetricDataType.LONG_GAUGE, whole)
            } else {
                val real = GaugeData.createDoubleGaugeData(real(points, now))
                exported(points.metric, MetricDataType.DOUBLE_GAUGE, real)
            }
        MetricKind.COUNTER, MetricKind.UP_DOWN_COUNTER -> {
            val isMonotonic = points.metric.kind == MetricKind.COUNTER
            if (points.metric.isWhole) {
                val whole = SumData.createLongSumData(isMonotonic, CUMULATIVE, whole(points, now))
                exported(points.metric, MetricDataType.LONG_SUM, whole)
            } else {
                val real = SumData.createDoubleSumData(isMonotonic, CUMULATIVE, real(points, now))
                exported(points.metric, MetricDataType.DOUBLE_SUM, real)
            }
        }
    }

    private fun exported(metric: Metric, type: MetricDataType, data: Data<*>) =
        ExportedMetric(resource, scope, metric, type, data)

    private fun whole(points: MetricPoints, now: Long): List<LongPointData> = numbers(points).map {
        LongPointData.create(startEpochNanos, now, attributesOf(it.attributes), Math.round(it.value))
    }

    private fun real(points: MetricPoints, now: Long): List<DoublePointData> = numbers(points).map {
        DoublePointData.create(startEpochNanos, now, attributesOf(it.attributes), it.value, emptyList())
    }

    private fun numbers(points: MetricPoints) = points.points.filterIsInstance<Point.Number>()

    private fun times(point: Point.Times, now: Long): HistogramPointData {
        val hasValues = point.count > 0
        return HistogramPointData.create(
            startEpochNanos, now, attributesOf(point.attributes), point.sum, hasValues, point.min, hasValues, point.max,
            Point.BOUNDS, point.counts,
        )
    }
}

private fun attributesOf(attributes: PointAttributes): Attributes = Attributes.builder().apply {
    for ((name, value) in attributes) {
        if (value is Long) put(AttributeKey.longKey(name), value) else put(AttributeKey.stringKey(name), "$value")
    }
}.build()

/** The library has no public way to make one of these. */
private class ExportedMetric(
    private val resource: Resource,
    private val scope: InstrumentationScopeInfo,
    private val metric: Metric,
    private val type: MetricDataType,
    private val data: Data<*>,
) : MetricData {
    override fun getResource(): Resource = resource

    override fun getInstrumentationScopeInfo(): InstrumentationScopeInfo = scope

    override fun getName(): String = metric.id

    override fun getDescription(): String = metric.description

    override fun getUnit(): String = metric.unit

    override fun getType(): MetricDataType = type

    override fun getData(): Data<*> = data
}
