package threadgauge.stats

import kotlin.math.abs
import kotlin.math.ln
import threadgauge.model.plan.CurveShape

/**
 * The shape of the end of a warm-up curve. [perSecond] are the rates of successive iterations of one situation, in
 * order. All computations are on logarithms, so that 10 % is the same at any rate.
 *
 * The slope is that of Theil and Sen, the median of the slopes between all pairs (Sen, *J. American Statistical
 * Association* 63, 1968): a single disturbed iteration does not change it. The test of Mann and Kendall decides whether
 * it is more than noise; it counts the rising pairs minus the falling ones (Mann, *Econometrica* 13, 1945; Kendall,
 * *Rank Correlation Methods*, 1948): it does not need the size of the noise. The noise is the median distance from that
 * line, times 1.4826, which makes it the standard deviation of a normal distribution.
 *
 * A curve is flat if its last four, five or six iterations are, which means:
 * - their drift, the slope times the distance from the first to the last, is at most 3 %; or it is no more than noise,
 *   and at most 5, 10 or 15 %;
 * - the last differs from the median by at most a tenth, or by at most 2.5 times the noise where that is more;
 * - all but one are within a quarter of the line.
 *
 * So a rising curve with little noise is detected by its order, one with much noise by its drift, and an even curve is
 * accepted sooner than an uneven one. The remaining gain follows from the drift: if the distance to the limit falls by
 * a fifth with each iteration, it equals the drift of four iterations.
 */
fun curveShapeOf(perSecond: List<Double>): CurveShape {
    val answering = perSecond.takeLastWhile { it > 0 }
    if (answering.isEmpty() && perSecond.isNotEmpty()) return CurveShape.SILENT
    val logs = answering.map(::ln)
    val shapes = MAX_DRIFT.filterKeys { it <= logs.size }
        .map { (count, most) -> curveShapeOf(TheilSen(logs.takeLast(count)), most) }
    return if (CurveShape.FLAT in shapes) CurveShape.FLAT else shapes.lastOrNull() ?: CurveShape.TOO_SHORT
}

private fun curveShapeOf(line: TheilSen, maxDrift: Double): CurveShape {
    val drift = abs(line.slope) * (line.values.size - 1)
    val distances = line.residuals.map(::abs).sorted()
    val noise = SIGMA_OF_MEDIAN_DISTANCE * median(distances)
    return when {
        drift > maxDrift || drift > NO_DRIFT && line.isTrend ->
            if (line.slope > 0) CurveShape.RISING else CurveShape.FALLING
        distances[distances.size - 2] > MAX_DISTANCE -> CurveShape.ERRATIC
        abs(line.values.last() - median(line.values)) > maxOf(NO_JUMP, JUMP_IN_NOISE * noise) -> CurveShape.JUMPED
        else -> CurveShape.FLAT
    }
}

/** The robust line through [values] at 0, 1, 2 …, and the number of pairs in its direction. */
private class TheilSen(val values: List<Double>) {
    private val pairs = values.indices.flatMap { i -> (i + 1..values.lastIndex).map { j -> i to j } }
    val slope = median(pairs.map { (i, j) -> (values[j] - values[i]) / (j - i) })
    private val start = median(values.mapIndexed { index, value -> value - slope * index })
    val residuals = values.mapIndexed { index, value -> value - slope * index - start }

    /** By Mann and Kendall, at the smallest score with a two-sided probability below 0.1 in noise alone. */
    val isTrend = abs(pairs.sumOf { (i, j) -> values[j].compareTo(values[i]) }) >= MIN_SCORE.getValue(values.size)
}

/**
 * The order of fewer values is not significant: all three pairs of three have the same direction by chance in a third
 * of all cases.
 */
const val MIN_ITERATIONS = 4

/** The default margin of an experiment: a smaller difference does not count. */
private const val NO_DRIFT = 0.03

/**
 * Number of iterations to permitted drift. More iterations may drift more, because they were observed for longer.
 * Chosen by the error rates that `SteadinessTest` prints: three flat curves with noise of a tenth are all found flat
 * within eight iterations in 90 % of the cases.
 */
private val MAX_DRIFT = mapOf(MIN_ITERATIONS to 0.05, 5 to 0.10, 6 to 0.15)

private const val NO_JUMP = 0.10
private const val JUMP_IN_NOISE = 2.5

/** 2.5 times 10 %, by which iterations of one second differ on a shared machine in the steady state. */
private const val MAX_DISTANCE = 0.25
private const val SIGMA_OF_MEDIAN_DISTANCE = 1.4826

/** Number of values to critical score; Kendall's tables for n = 4, 5, 6 (probabilities 0.083, 0.083, 0.056). */
private val MIN_SCORE = mapOf(4 to 6, 5 to 8, 6 to 11)
