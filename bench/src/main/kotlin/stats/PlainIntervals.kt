package threadgauge.stats

import kotlin.math.ln
import kotlin.math.sqrt

/**
 * Student's interval of the mean of [values] as they are, for shares and counts that may be zero, of which no logarithm
 * can be taken. Its lower end is at least 0. Null below [MIN_TRIALS] values.
 */
fun plainInterval(values: List<Double>, confidence: Double = 0.95): Interval? {
    if (values.size < MIN_TRIALS) return null
    val mean = values.average()
    val variance = values.sumOf { (it - mean) * (it - mean) } / (values.size - 1)
    val half = studentQuantile(confidence, values.size - 1.0) * sqrt(variance / values.size)
    return Interval(maxOf(0.0, mean - half), maxOf(0.0, mean + half))
}

/**
 * Upper bound of a share, at 95 %, if none of [trials] was an occurrence: the "rule of three" (Hanley and Lippman-Hand,
 * "If nothing goes wrong, is everything all right?", *JAMA* 249, 1983).
 */
fun largestUnseenShare(trials: Long, confidence: Double = 0.95): Double =
    minOf(1.0, -ln(1 - confidence) / maxOf(1, trials))
