package threadgauge.stats

import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.TDistribution

/**
 * A change of the level of a series: from its value number [at], counted from 0, it is [ratio] times what it was. Both
 * levels are geometric means of the values up to the neighbouring changes.
 */
class ChangePoint(
    val at: Int,
    val before: Double,
    val after: Double,
    /** Of [ratio], at 95 % by itself. */
    val interval: Interval,
) {
    val ratio: Double get() = after / before
}

/**
 * Changes of the level of [values], which are positive and in order of time, told from noise. A level has two values or
 * more: a single one that is off is one of the [outliers] of its level. At most [error] of the series that never
 * change, with independent noise, have a change.
 *
 * The series is cut where the difference of the mean logarithms on both sides is largest in units of its standard error
 * (the likelihood ratio for a shift of a normal mean; Worsley, *Journal of the American Statistical Association* 74,
 * 1979); if no such cut is significant, where a stretch in the middle differs most from the rest (circular binary
 * segmentation; Olshen and others, *Biostatistics* 5, 2004), because a level that comes back hides from single cuts.
 * Each of both has half of [error]. The parts are cut again as long as something is significant (binary segmentation;
 * Scott and Knott, *Biometrics* 30, 1974), each with its share of [error] by length. The largest of many statistics is
 * paid for by Bonferroni's inequality, which is an upper bound, for neighbouring cuts are alike.
 *
 * Fewer than [FEWEST] values have no change: their own noise is not known.
 */
fun changePoints(values: List<Double>, error: Double = 0.05): List<ChangePoint> {
    require(values.all { it > 0 }) { "values must be positive" }
    val logs = values.map { ln(it) }
    val cuts = ArrayList<Int>()
    fun search(from: Int, until: Int) {
        val share = error * (until - from) / logs.size
        val places = bestCut(logs.subList(from, until), share).map { from + it }
        if (places.isEmpty()) return
        cuts += places
        (listOf(from) + places + until).zipWithNext { start, end -> search(start, end) }
    }
    search(0, logs.size)
    val edges = listOf(0) + cuts.sorted() + logs.size
    val levels = edges.zipWithNext { start, end -> logs.subList(start, end) }
    val freedom = logs.size - levels.size
    val deviation = sqrt(levels.sumOf(::squares) / maxOf(1, freedom))
    return levels.zipWithNext().mapIndexed { index, (old, new) ->
        val (before, after) = old.average() to new.average()
        val standardError = deviation * sqrt(1.0 / old.size + 1.0 / new.size)
        val half = studentQuantile(0.95, freedom.toDouble()) * standardError
        ChangePoint(
            edges[index + 1], exp(before), exp(after), Interval(exp(after - before - half), exp(after - before + half)),
        )
    }
}

/** A series of fewer values has no [changePoints]. */
const val FEWEST = 5

/** Where [logs] are cut first; empty where nothing is significant. */
private fun bestCut(logs: List<Double>, error: Double): List<Int> {
    val n = logs.size
    if (n < FEWEST) return emptyList()
    val sums = logs.runningFold(0.0, Double::plus)
    val total = squares(logs)
    // Values that are all equal up to rounding have no noise to compare with.
    if (total <= n * ROUNDING * ROUNDING) return emptyList()

    /** Sum of squares between the stretch and the rest. */
    fun between(from: Int, until: Int): Double {
        val inside = sums[until] - sums[from]
        val length = until - from
        val difference = inside / length - (sums[n] - inside) / (n - length)
        return difference * difference * length * (n - length) / n
    }

    fun chance(between: Double, candidates: Int): Double {
        val within = maxOf(total - between, n * ROUNDING * ROUNDING)
        val t = sqrt(between / (within / (n - 2)))
        return 2 * TDistribution.of(n - 2.0).survivalProbability(t) * candidates
    }

    val starts = SHORTEST..n - SHORTEST
    val stretches = starts.flatMap { from -> (from + SHORTEST..n - SHORTEST).map { from to it } }
    val cut = starts.maxBy { between(0, it) }
    val share = if (stretches.isEmpty()) error else error / 2
    if (chance(between(0, cut), starts.count()) <= share) return listOf(cut)
    val (from, until) = stretches.maxByOrNull { (from, until) -> between(from, until) } ?: return emptyList()
    return if (chance(between(from, until), stretches.size) <= share) listOf(from, until) else emptyList()
}

private fun squares(logs: List<Double>): Double {
    val mean = logs.average()
    return logs.sumOf { (it - mean) * (it - mean) }
}

/** Values of a level: a single one may be noise with a heavy tail. */
private const val SHORTEST = 2

/** Smallest difference of logarithms that is more than a rounding error of figures with five digits. */
private const val ROUNDING = 1e-6
