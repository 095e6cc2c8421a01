package threadgauge.telemetry

import org.HdrHistogram.Histogram

/** Attributes of a point: texts, and whole numbers as [Long]. */
internal typealias PointAttributes = Map<String, Any>

/** All points of [metric]. Immutable. */
internal class MetricPoints(val metric: Metric, val points: List<Point>)

/** A value with its [attributes]. Immutable. */
internal sealed interface Point {
    val attributes: PointAttributes

    class Number(override val attributes: PointAttributes, val value: Double) : Point

    /**
     * Times in seconds: [counts] per bucket of [BOUNDS], and one more for longer times. [min] and [max] are of the
     * values.
     */
    class Times(
        override val attributes: PointAttributes,
        val counts: List<Long>,
        val sum: Double,
        val min: Double,
        val max: Double,
    ) : Point {
        val count: Long get() = counts.sum()
    }

    companion object {
        /**
         * Upper bounds of the buckets, in seconds: those that OpenTelemetry's conventions advise for HTTP durations
         * (from 5 ms on), and finer ones, because a server on the same machine answers in less.
         */
        val BOUNDS: List<Double> = listOf(
            0.0001, 0.00025, 0.0005, 0.001, 0.0025,
            0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
        )
    }
}

/** The values of all metrics so far. Owned by one thread. */
internal class Figures {
    private val numbers = LinkedHashMap<Metric, LinkedHashMap<PointAttributes, Double>>()
    private val times = LinkedHashMap<Metric, LinkedHashMap<PointAttributes, TimeSum>>()

    /** Adds to a counter; the counter appears with its first [amount], also if that is 0. */
    fun add(metric: Metric, attributes: PointAttributes, amount: Double) {
        require(amount >= 0) { "a counter cannot fall by $amount" }
        of(metric).merge(attributes, amount, Double::plus)
    }

    fun set(metric: Metric, attributes: PointAttributes, value: Double) {
        of(metric)[attributes] = value
    }

    /** Adds all values of [histogram], which is in nanoseconds. */
    fun add(metric: Metric, attributes: PointAttributes, histogram: Histogram) =
        times.getOrPut(metric) { LinkedHashMap() }.getOrPut(attributes) { TimeSum() }.add(histogram)

    /** Removes the point of [metric] with these [attributes], if there is one. */
    fun remove(metric: Metric, attributes: PointAttributes) {
        numbers[metric]?.remove(attributes)
    }

    /** Removes all points with attributes of which [isOver] is true. */
    fun forget(isOver: (PointAttributes) -> Boolean) =
        (numbers.values + times.values).forEach { points -> points.keys.removeIf { isOver(it) } }

    /** All values now, in the order of [Metric]; metrics without a value are absent. */
    fun snapshot(): List<MetricPoints> = Metric.entries.mapNotNull { metric ->
        val points = if (metric.kind == MetricKind.HISTOGRAM) {
            times[metric].orEmpty().map { (attributes, sum) -> sum.point(attributes) }
        } else {
            numbers[metric].orEmpty().map { (attributes, value) -> Point.Number(attributes, value) }
        }
        if (points.isEmpty()) null else MetricPoints(metric, points)
    }

    private fun of(metric: Metric) = numbers.getOrPut(metric) { LinkedHashMap() }
}

/** Times in the buckets of [Point.BOUNDS]. */
private class TimeSum {
    private val counts = LongArray(Point.BOUNDS.size + 1)
    private var sum = 0.0
    private var min = Double.MAX_VALUE
    private var max = 0.0

    /** A value is taken as the middle of its cell, as `Histogram.getMean` does. */
    fun add(histogram: Histogram) {
        for (cell in histogram.recordedValues()) {
            val seconds = histogram.medianEquivalentValue(cell.valueIteratedTo) / 1e9
            val bucket = Point.BOUNDS.indexOfFirst { seconds <= it }
            counts[if (bucket < 0) Point.BOUNDS.size else bucket] += cell.countAddedInThisIterationStep
            sum += seconds * cell.countAddedInThisIterationStep
            min = minOf(min, seconds)
            max = maxOf(max, seconds)
        }
    }

    fun point(attributes: PointAttributes) =
        Point.Times(attributes, counts.toList(), sum, if (max == 0.0) 0.0 else min, max)
}
