package threadgauge.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.pow
import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.NormalDistribution

/** A rate, per second, and when it was seen: the time under load in milliseconds, from any start. */
data class RatePoint(val atMillis: Double, val perSecond: Double)

/** How far a warm-up curve got: its level where it was measured ÷ the plateau that it was heading for. */
data class WarmUpDistance(
    /** Above 0, at most 1: 0.97 is 3 % below the plateau. 1 where the curve does not rise. */
    val share: Double,
    /** Of [share]. Wide where the plateau is not in sight yet. */
    val interval: Interval,
    /** Points that were too far from the curve to be used. */
    val disturbed: Int,
)

/** What is known of one process in one situation: [points] in order, of which the last [measured] were measured. */
class WarmUpCurve(val points: List<RatePoint>, val measured: Int = 1) {
    init {
        require(measured >= 1) { "$measured points were measured" }
    }
}

/**
 * The distance from the plateau where [curves] were measured, which are those of processes of one stack in one
 * situation. Each has a plateau of its own, because processes differ; the approach to it is common to all. Null where
 * fewer than [MIN_FOR_DISTANCE] points have a rate at the end, or for every further curve one more.
 *
 * The curve is an exponential approach of the logarithm, ln r(t) = p − a · exp(−t ÷ τ) with a ≥ 0 (a first-order
 * system; Ogata, *Modern Control Engineering*, 5-2). With the distance at the end d = a · exp(−T ÷ τ) as its parameter
 * it is linear in p and d for every τ, so all τ of a grid are tried. The interval is that of the profile likelihood:
 * all d for which some τ and p fit nearly as well, by the F test (Seber and Wild, *Nonlinear Regression*, 1989, section
 * 5.9), and what the curve's mean is with these. τ is at most twice the time observed: a slower approach cannot be told
 * from a straight line, which has no plateau. So the low end of the interval is low where a curve still rises like a
 * line, though not without limit.
 *
 * Only the end of a curve counts: what comes before the first point with [LATE] of the rate at the end is not used,
 * unless it is in the later half, or was measured. Curves rise in several phases, first out of the interpreter, and a
 * fast first phase says nothing about the last one. Up to a third of the points used may be disturbed: those too far
 * from a fit to the others for chance, in one curve of a hundred, are left out and counted.
 *
 * Simulated intervals contain the truth in 93 to 99 of 100 cases, and in 88 or more if every tenth point loses half
 * of its rate: at the start of the part used that cannot be told from a steeper curve (`WarmUpDistanceTest`).
 */
fun warmUpDistance(curves: List<WarmUpCurve>, confidence: Double = 0.95): WarmUpDistance? {
    val used = curves.map { curve -> curve.end() to curve.measured }.filter { (points, _) -> points.size > 1 }
    val span = used.maxOfOrNull { (points, _) -> points.last().atMillis - points.first().atMillis } ?: return null
    if (span <= 0 || used.sumOf { (points, _) -> points.size } < MIN_FOR_DISTANCE + used.size - 1) return null
    val all = Curves(used.map { (points, measured) -> Ending.of(points, measured, span) })
    val weights = all.undisturbed()
    val fits = all.fits(weights)
    val best = fits.minBy { it.squares(it.distance) }
    val freedom = weights.sum() - all.parameters
    if (freedom < 1) return null
    val allowed = best.squares(best.distance) * (1 + studentQuantile(confidence, freedom).pow(2) / freedom)
    val share = best.share(best.distance)
    val shares = fits.mapNotNull { fit ->
        fit.distancesWithin(allowed)
            ?.let { (least, most) -> fit.share(maxOf(0.0, most)) to fit.share(maxOf(0.0, least)) }
    }
    return WarmUpDistance(
        share,
        Interval(minOf(share, shares.minOf { it.first }), maxOf(share, shares.maxOf { it.second })),
        weights.count { it == 0.0 },
    )
}

private fun WarmUpCurve.end(): List<RatePoint> {
    val alive = points.takeLastWhile { it.perSecond > 0 }
    val rate = median(alive.takeLast(maxOf(3, measured)).map { it.perSecond }.ifEmpty { return alive })
    val first = alive.indexOfFirst { it.perSecond >= LATE * rate }
    val kept = maxOf(MIN_FOR_DISTANCE, measured)
    return alive.drop(minOf(first, alive.size / 2, maxOf(0, alive.size - kept)))
}

/** The part of a curve that counts: logarithms of rates, and how long before its end they were, as shares of a time. */
private class Ending(val before: List<Double>, val logs: List<Double>, val isMeasured: List<Boolean>) {
    companion object {
        fun of(points: List<RatePoint>, measured: Int, span: Double): Ending {
            val end = points.last().atMillis
            return Ending(
                points.map { (end - it.atMillis) / span }, points.map { ln(it.perSecond) },
                List(points.size) { it >= points.size - measured },
            )
        }
    }
}

private class Curves(endings: List<Ending>) {
    private val before = endings.flatMap { it.before }
    private val logs = endings.flatMap { it.logs }.toDoubleArray()
    private val data = CurveData(
        logs,
        process = endings.flatMapIndexed { index, ending -> ending.logs.map { index } }.toIntArray(),
        isMeasured = endings.flatMap { it.isMeasured }.toBooleanArray(),
    )

    /** The plateau of each process, and τ and the distance of all. */
    val parameters = endings.size + 2.0
    private val steps = TIME_CONSTANTS.filter { it >= 0.5 / (endings.maxOf { ending -> ending.logs.size } - 1) }
        .map { tau -> DoubleArray(logs.size) { exp(before[it] / tau) } }

    /** Fine enough to find what is near. */
    private val coarse = steps.filterIndexed { index, _ -> index % 8 == 0 }

    fun fits(weights: DoubleArray): List<Fit> = Weighted(data, weights).let { of -> steps.map { Fit(it, of) } }

    /**
     * Weight 1, or 0 for a disturbed point. The two thirds nearest to a fit with bounded influence (Huber, *Robust
     * Statistics*, 1981, section 7.8) are not disturbed. The others are judged by a fit to these, whose deviation is
     * corrected for having been chosen because they are near (least trimmed squares; Rousseeuw and Leroy, *Robust
     * Regression and Outlier Detection*, 1987, chapter 4), and by Student's quantile after Bonferroni.
     */
    fun undisturbed(): DoubleArray {
        val all = DoubleArray(logs.size) { 1.0 }
        val near = logs.size - logs.size / 3
        if (near - parameters < 2) return all
        val distances = robustDistances(near)
        val limit = distances.sorted()[near - 1]
        val core = DoubleArray(logs.size) { if (distances[it] <= limit) 1.0 else 0.0 }
        val fit = best(core, steps)
        val chosen = sigmaOfNearest(near.toDouble() / logs.size)
        val deviation = sqrt(fit.squares(fit.distance) / (near - parameters)) / chosen
        val most = maxOf(TINY, deviation * studentQuantile(1 - CHANCE / logs.size, near - parameters))
        val residuals = fit.residuals()
        return DoubleArray(logs.size) { if (core[it] > 0 || abs(residuals[it]) <= most * fit.errorAt(it)) 1.0 else 0.0 }
    }

    /**
     * Of several starts, the distances with the least squares of the [near] nearest. A disturbed iteration at the
     * beginning rules a fit to all, which takes it for a steep curve; so some starts leave the first ones out.
     */
    private fun robustDistances(near: Int): List<Double> = (0..MAX_SKIPPED)
        .map { skipped -> robustDistances(DoubleArray(logs.size) { if (it < skipped) 0.0 else 1.0 }) }
        .minBy { distances -> distances.sorted().take(near).sumOf { it * it } }

    /** Bounded influence first, then none for what is far away (Tukey's biweight). */
    private fun robustDistances(start: DoubleArray): List<Double> {
        var weights = start
        repeat(2 * ROUNDS) { round ->
            val distances = best(weights, coarse).residuals().map(::abs)
            val scale = maxOf(TINY, SIGMA_OF_MEDIAN * median(distances))
            weights = DoubleArray(logs.size) {
                val far = distances[it] / scale
                if (round < ROUNDS) huber(far) else biweight(far)
            }
        }
        return best(weights, coarse).residuals().map(::abs)
    }

    private fun huber(far: Double) = minOf(1.0, HUBER / maxOf(far, TINY))

    private fun biweight(far: Double) = maxOf(TINY, 1 - (far / BIWEIGHT).pow(2)).pow(2)

    private fun best(weights: DoubleArray, among: List<DoubleArray>) =
        Weighted(data, weights).let { of -> among.map { Fit(it, of) } }.minBy { it.squares(it.distance) }
}

/** [process] is the number of the process that each of the [logs] belongs to. */
private class CurveData(val logs: DoubleArray, val process: IntArray, val isMeasured: BooleanArray)

/** What does not depend on τ. */
private class Weighted(val data: CurveData, val weights: DoubleArray) {
    /** Sums of weights by process. */
    val sums = sumsOf { weights[it] }
    val logs = centred(data.logs)
    val logSquares = logs.indices.sumOf { weights[it] * logs[it] * logs[it] }

    /** Each of [values] without the mean of its process. */
    fun centred(values: DoubleArray): DoubleArray {
        val means = sumsOf { weights[it] * values[it] }
        for (process in means.indices) means[process] /= maxOf(TINY, sums[process])
        return DoubleArray(values.size) { values[it] - means[data.process[it]] }
    }

    private inline fun sumsOf(value: (Int) -> Double): DoubleArray {
        val sums = DoubleArray(data.process.last() + 1)
        for (index in data.process.indices) sums[data.process[index]] += value(index)
        return sums
    }
}

/** Least squares for one τ: squares of the residuals as a parabola of the distance at the end. */
private class Fit(private val step: DoubleArray, private val of: Weighted) {
    private val steps = of.centred(step)
    private val stepSquares = step.indices.sumOf { of.weights[it] * steps[it] * steps[it] }
    private val products = step.indices.sumOf { of.weights[it] * steps[it] * of.logs[it] }

    /** The best one that is not negative. */
    val distance = maxOf(0.0, -products / stepSquares)

    fun squares(distance: Double): Double =
        maxOf(0.0, of.logSquares + 2 * distance * products + distance * distance * stepSquares)

    /** Mean of the curve over the points that were measured ÷ its plateau, if it ends [distance] below that. */
    fun share(distance: Double): Double =
        step.indices.filter { of.data.isMeasured[it] }.map { exp(-distance * step[it]) }.average()

    fun residuals(): List<Double> = step.indices.map { of.logs[it] + distance * steps[it] }

    /** Standard error of predicting point [index], in deviations of one: more where the curve is steep. */
    fun errorAt(index: Int): Double =
        sqrt(1 + 1 / maxOf(TINY, of.sums[of.data.process[index]]) + steps[index] * steps[index] / stepSquares)

    /** The least and the largest distance whose squares are at most [allowed]. */
    fun distancesWithin(allowed: Double): Pair<Double, Double>? {
        val root = products * products - stepSquares * (of.logSquares - allowed)
        if (root < 0) return null
        return (-products - sqrt(root)) / stepSquares to (-products + sqrt(root)) / stepSquares
    }
}

/** Standard deviation of those values of a standard normal distribution that are the [share] nearest to its mean. */
private fun sigmaOfNearest(share: Double): Double {
    val normal = NormalDistribution.of(0.0, 1.0)
    val most = normal.inverseSurvivalProbability((1 - share) / 2)
    return sqrt(1 - 2 * most * normal.density(most) / share)
}

/** Three parameters leave two degrees of freedom. */
const val MIN_FOR_DISTANCE = 5

/** Share of the rate at the end. */
private const val LATE = 0.8

/** Of leaving out an iteration of a curve that nothing disturbed. */
private const val CHANCE = 0.01
private const val HUBER = 1.345
private const val SIGMA_OF_MEDIAN = 1.4826

private const val BIWEIGHT = 4.685
private const val ROUNDS = 5
private const val MAX_SKIPPED = 2
private const val TINY = 1e-9

/** τ as shares of the time observed, a fiftieth to twice of it, in steps of 2 %. Steps of 5 % cost 1 % of coverage. */
private val TIME_CONSTANTS = List(233) { 0.02 * 1.02.pow(it) }.filter { it <= 2.0 }
