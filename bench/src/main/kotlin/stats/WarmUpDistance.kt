package threadgauge.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.pow
import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.NormalDistribution
import threadgauge.model.WarmUpIteration

/** How far a warm-up curve got: its level at the end ÷ the plateau that it was heading for. */
data class WarmUpDistance(
    /** Above 0, at most 1: 0.97 is 3 % below the plateau. 1 where the curve does not rise. */
    val share: Double,
    /** Of [share]. Wide where the plateau is not in sight yet. */
    val interval: Interval,
    /** Iterations that were too far from the curve to be used. */
    val disturbed: Int,
)

/**
 * The distance from the plateau at the last of [iterations], which are those of one stack in one situation, in order.
 * Null where fewer than [MIN_FOR_DISTANCE] of them answered at the end.
 *
 * The curve is an exponential approach of the logarithm, ln r(t) = p − a · exp(−t ÷ τ) with a ≥ 0 (a first-order
 * system; Ogata, *Modern Control Engineering*, 5-2). With the distance at the end d = a · exp(−T ÷ τ) as its parameter
 * it is linear in p and d for every τ, so all τ of a grid are tried. The interval is that of the profile likelihood:
 * all d for which some τ and p fit nearly as well, by the F test (Seber and Wild, *Nonlinear Regression*, 1989, section
 * 5.9). τ is at most twice the time observed: a slower approach cannot be told from a straight line, which has no
 * plateau. So the low end of the interval is low where a curve still rises like a line, though not without limit.
 *
 * Only the end of the curve counts: what comes before the first iteration with [LATE] of the rate at the end is not
 * used, unless it is in the later half. Curves rise in several phases, first out of the interpreter, and a fast first
 * phase says nothing about the last one. Up to a third of the iterations used may be disturbed: those too far from a
 * fit to the others for chance, in one curve of a hundred, are left out and counted.
 *
 * Simulated intervals contain the truth in 93 to 99 of 100 cases, and in 88 or more if every tenth iteration loses half
 * of its rate: at the start of the part used that cannot be told from a steeper curve (`WarmUpDistanceTest`).
 */
fun warmUpDistance(iterations: List<WarmUpIteration>, confidence: Double = 0.95): WarmUpDistance? {
    val used = endOf(iterations.takeLastWhile { it.answeredPerSecond > 0 })
    val span = used.lastOrNull()?.let { it.atMillis - used.first().atMillis } ?: return null
    if (used.size < MIN_FOR_DISTANCE || span <= 0) return null
    val end = used.last().atMillis
    val curve = Curve(
        before = DoubleArray(used.size) { (end - used[it].atMillis) / span },
        logs = DoubleArray(used.size) { ln(used[it].answeredPerSecond) },
    )
    val weights = curve.undisturbed()
    val fits = curve.fits(weights)
    val best = fits.minBy { it.squares(it.distance) }
    val freedom = weights.sum() - PARAMETERS
    val allowed = best.squares(best.distance) * (1 + studentQuantile(confidence, freedom).pow(2) / freedom)
    val distances = fits.mapNotNull { it.distancesWithin(allowed) }
    return WarmUpDistance(
        exp(-best.distance),
        Interval(
            exp(-maxOf(best.distance, distances.maxOf { it.second })),
            exp(-maxOf(0.0, minOf(best.distance, distances.minOf { it.first }))),
        ),
        weights.count { it == 0.0 },
    )
}

private fun endOf(iterations: List<WarmUpIteration>): List<WarmUpIteration> {
    val rate = median(iterations.takeLast(3).map { it.answeredPerSecond }.ifEmpty { return iterations })
    val first = iterations.indexOfFirst { it.answeredPerSecond >= LATE * rate }
    return iterations.drop(minOf(first, iterations.size / 2, maxOf(0, iterations.size - MIN_FOR_DISTANCE)))
}

/** Logarithms of rates, and how long before the end they were, as shares of the whole time. */
private class Curve(private val before: DoubleArray, private val logs: DoubleArray) {
    private val steps = TIME_CONSTANTS.filter { it >= 0.5 / (logs.size - 1) }
        .map { tau -> DoubleArray(logs.size) { exp(before[it] / tau) } }

    /** Fine enough to find what is near. */
    private val coarse = steps.filterIndexed { index, _ -> index % 8 == 0 }

    fun fits(weights: DoubleArray): List<Fit> = steps.map { Fit(it, logs, weights) }

    /**
     * Weight 1, or 0 for a disturbed iteration. The two thirds nearest to a fit with bounded influence (Huber, *Robust
     * Statistics*, 1981, section 7.8) are not disturbed. The others are judged by a fit to these, whose deviation is
     * corrected for having been chosen because they are near (least trimmed squares; Rousseeuw and Leroy, *Robust
     * Regression and Outlier Detection*, 1987, chapter 4), and by Student's quantile after Bonferroni.
     */
    fun undisturbed(): DoubleArray {
        val all = DoubleArray(logs.size) { 1.0 }
        val near = logs.size - logs.size / 3
        if (near - PARAMETERS < 2) return all
        val distances = robustDistances(near)
        val limit = distances.sorted()[near - 1]
        val core = DoubleArray(logs.size) { if (distances[it] <= limit) 1.0 else 0.0 }
        val fit = best(core, steps)
        val chosen = sigmaOfNearest(near.toDouble() / logs.size)
        val deviation = sqrt(fit.squares(fit.distance) / (near - PARAMETERS)) / chosen
        val most = maxOf(TINY, deviation * studentQuantile(1 - CHANCE / logs.size, near - PARAMETERS))
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
        among.map { Fit(it, logs, weights) }.minBy { it.squares(it.distance) }
}

/** Least squares for one τ: squares of the residuals as a parabola of the distance at the end. */
private class Fit(private val step: DoubleArray, private val logs: DoubleArray, private val weights: DoubleArray) {
    private val sum = weights.sum()
    private val meanStep = step.indices.sumOf { weights[it] * step[it] } / sum
    private val meanLog = logs.indices.sumOf { weights[it] * logs[it] } / sum
    private val stepSquares = step.indices.sumOf { weights[it] * (step[it] - meanStep) * (step[it] - meanStep) }
    private val logSquares = logs.indices.sumOf { weights[it] * (logs[it] - meanLog) * (logs[it] - meanLog) }
    private val products = logs.indices.sumOf { weights[it] * (step[it] - meanStep) * (logs[it] - meanLog) }

    /** The best one that is not negative. */
    val distance = maxOf(0.0, -products / stepSquares)

    fun squares(distance: Double): Double =
        maxOf(0.0, logSquares + 2 * distance * products + distance * distance * stepSquares)

    fun residuals(): List<Double> = logs.indices.map { logs[it] - meanLog + distance * (step[it] - meanStep) }

    /** Standard error of predicting iteration [index], in deviations of one: more where the curve is steep. */
    fun errorAt(index: Int): Double =
        sqrt(1 + 1 / sum + (step[index] - meanStep) * (step[index] - meanStep) / stepSquares)

    /** The least and the largest distance whose squares are at most [allowed]. */
    fun distancesWithin(allowed: Double): Pair<Double, Double>? {
        val root = products * products - stepSquares * (logSquares - allowed)
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
private const val PARAMETERS = 3.0

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
