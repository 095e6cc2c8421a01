package threadgauge.stats

import kotlin.math.abs
import kotlin.math.ln
import kotlin.math.sqrt

/**
 * X(N) = λN / (1 + σ(N−1) + κN(N−1)): the Universal Scalability Law (Gunther, *Guerrilla Capacity Planning*, 2007,
 * chapter 4).
 */
data class ScalabilityLaw(val lambda: Double, val sigma: Double, val kappa: Double) {
    fun at(concurrency: Double) =
        lambda * concurrency / (1 + sigma * (concurrency - 1) + kappa * concurrency * (concurrency - 1))

    /** Concurrency with the highest throughput; null where throughput never falls, or falls from the start. */
    val peak: Double? get() = if (kappa > 0 && sigma < 1) sqrt((1 - sigma) / kappa).takeIf { it >= 1 } else null
}

/** Throughput [perSecond] at [concurrency], at least 1. */
data class Throughput(val concurrency: Double, val perSecond: Double)

/**
 * The law with the least squares of relative errors, with σ and κ not below zero. Relative, because throughput varies
 * in proportion to itself.
 *
 * Divided out, N / X(N) = 1/λ + (σ/λ)(N−1) + (κ/λ)N(N−1), which is linear in its three coefficients. It is solved with
 * weights (X̂ / N)², where X̂ is the fit before, until nothing changes (iteratively reweighted least squares; Carroll
 * and Ruppert, *Transformation and Weighting in Regression*, 1988, chapter 2): near a good fit that minimises the
 * squares of the relative errors. A negative coefficient is set to zero; with three coefficients all combinations are
 * tried, and the best fit is used.
 *
 * Null below [MIN_POINTS] different concurrencies.
 */
fun fitScalability(points: List<Throughput>): ScalabilityLaw? {
    if (points.map { it.concurrency }.distinct().size < MIN_POINTS) return null
    if (points.any { it.perSecond <= 0 || it.concurrency < 1 }) return null
    var law: ScalabilityLaw? = null
    repeat(ROUNDS) {
        val weights = points.map { point ->
            ((law?.at(point.concurrency) ?: point.perSecond) / point.concurrency).let { it * it }
        }
        law = best(points, weights) ?: return law
    }
    return law
}

/** Typical relative distance of [points] from the law: the root of the mean square of the logarithms of their ratio. */
fun ScalabilityLaw.typicalError(points: List<Throughput>): Double =
    sqrt(points.sumOf { ln(it.perSecond / at(it.concurrency)).let { log -> log * log } } / points.size)

/** Share of the variation of throughput that the law explains. */
fun ScalabilityLaw.rSquared(points: List<Throughput>): Double {
    val mean = points.map { it.perSecond }.average()
    val all = points.sumOf { (it.perSecond - mean) * (it.perSecond - mean) }
    val rest = points.sumOf { (it.perSecond - at(it.concurrency)).let { error -> error * error } }
    return if (all > 0) 1 - rest / all else 0.0
}

private fun best(points: List<Throughput>, weights: List<Double>): ScalabilityLaw? {
    val y = points.map { it.concurrency / it.perSecond }
    fun row(n: Double) = doubleArrayOf(1.0, n - 1, n * (n - 1))
    val ways = listOf(listOf(0, 1, 2), listOf(0, 1), listOf(0, 2), listOf(0))
    val solutions = ways.mapNotNull { free ->
        val rows =
            points.map { point -> row(point.concurrency).let { all -> DoubleArray(free.size) { all[free[it]] } } }
        val solved = leastSquares(rows, y, weights) ?: return@mapNotNull null
        val whole = DoubleArray(3).also { free.forEachIndexed { index, place -> it[place] = solved[index] } }
        val rest = points.indices.sumOf { i ->
            val fitted = row(points[i].concurrency).withIndex().sumOf { (place, x) -> x * whole[place] }
            weights[i] * (y[i] - fitted) * (y[i] - fitted)
        }
        (whole to rest).takeIf { whole[0] > 0 && whole[1] >= 0 && whole[2] >= 0 }
    }
    val (c, _) = solutions.minByOrNull { it.second } ?: return null
    return ScalabilityLaw(1 / c[0], c[1] / c[0], c[2] / c[0])
}

/**
 * Solves the normal equations by elimination with pivots. Columns are scaled first, because N² and 1 differ by orders
 * of magnitude.
 */
private fun leastSquares(rows: List<DoubleArray>, y: List<Double>, weights: List<Double>): DoubleArray? {
    val size = rows.first().size
    val scale =
        DoubleArray(size) { column -> sqrt(rows.indices.sumOf { weights[it] * rows[it][column] * rows[it][column] }) }
    if (scale.any { it == 0.0 }) return null
    val matrix = Array(size) { r ->
        DoubleArray(size + 1) { c ->
            rows.indices.sumOf { i ->
                weights[i] * rows[i][r] / scale[r] * if (c < size) rows[i][c] / scale[c] else y[i]
            }
        }
    }
    for (column in 0..<size) {
        val pivot = (column..<size).maxBy { abs(matrix[it][column]) }
        if (abs(matrix[pivot][column]) < TINY) return null
        matrix[column] = matrix[pivot].also { matrix[pivot] = matrix[column] }
        for (row in 0..<size) if (row != column) {
            val factor = matrix[row][column] / matrix[column][column]
            for (c in column..size) matrix[row][c] -= factor * matrix[column][c]
        }
    }
    return DoubleArray(size) { matrix[it][size] / matrix[it][it] / scale[it] }
}

/** With four points, three parameters leave one degree of freedom; five points make the error meaningful. */
const val MIN_POINTS = 5
private const val ROUNDS = 25
private const val TINY = 1e-12
