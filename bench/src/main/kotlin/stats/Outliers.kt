package threadgauge.stats

import kotlin.math.abs
import kotlin.math.ln
import kotlin.math.sqrt
import org.apache.commons.statistics.distribution.TDistribution

/** A trial that differs from the others by more than they differ from each other. */
data class Outlier(
    /** Index in the list of trials, from 0. */
    val index: Int,
    /** Distance from the typical value of the others, as a share of it: −0.12 is 12 % below. */
    val off: Double,
    val grade: Grade,
)

/** How rare an outlier is if all trials come from one distribution: at most 1 in 100 lists, or 1 in 1,000. */
enum class Grade { MILD, SEVERE }

/**
 * The outliers among [values]: those whose deleted residual in logarithms (distance from the mean of the others, by
 * their own deviation) is beyond what Student's distribution with n − 2 degrees of freedom allows for, after Bonferroni
 * for n values (Cook and Weisberg, *Residuals and Influence in Regression*, 1982, section 2.2.2). They are reported and
 * kept: dropping trials until the rest agree would bias the result. Empty below four values, and where a value is not
 * positive.
 */
fun outliers(values: List<Double>): List<Outlier> {
    if (values.size < MIN_FOR_OUTLIERS || values.any { it <= 0 }) return emptyList()
    val logs = values.map(::ln)
    return logs.indices.mapNotNull { index ->
        val others = logs.filterIndexed { at, _ -> at != index }
        val mean = others.average()
        val deviation = sqrt(others.sumOf { (it - mean) * (it - mean) } / (others.size - 1))
        val distance = abs(logs[index] - mean)
        if (distance < SMALLEST_DISTANCE) return@mapNotNull null
        val residual = if (deviation == 0.0) Double.MAX_VALUE else distance / (deviation * sqrt(1 + 1.0 / others.size))
        val chance = 2 * TDistribution.of(others.size - 1.0).survivalProbability(residual) * logs.size
        val grade = if (chance < 0.001) Grade.SEVERE else if (chance < 0.01) Grade.MILD else return@mapNotNull null
        Outlier(index, values[index] / kotlin.math.exp(mean) - 1, grade)
    }
}

/** Of three values, any one may be the outlier. */
private const val MIN_FOR_OUTLIERS = 4

/** Half a per cent: a smaller difference is irrelevant, however alike the others are. */
private const val SMALLEST_DISTANCE = 0.005
