package threadgauge.map

import kotlin.math.ceil
import kotlin.math.hypot
import threadgauge.stats.studentQuantile

/**
 * What one place says of a share: [height] is the logarithm of the share divided by the level that is asked for, with
 * this [variance], at [at], the logarithm of the users. The share falls as [at] grows.
 */
internal class RampPoint(val at: Double, val height: Double, val variance: Double)

/**
 * Where a share crosses a level, by all [points] of a column together.
 *
 * The share is taken to be a ramp: one height, a straight fall, another height. That is what bounds of throughput make
 * of it on logarithmic axes: it stays while the same kind of bound holds both stacks, and falls or rises as a power of
 * the users while two kinds do. Both corners and both heights are unknown. Each crossing has a ramp through it that is
 * nearest to the points (weighted least squares, as in D. V. Hinkley, *Inference in two-phase regression*, Journal of
 * the American Statistical Association 66, 1971). A crossing cannot be excluded where its ramp is hardly farther from
 * the points than the best one is (profile likelihood: D. J. Venzon and S. H. Moolgavkar, *A method for computing
 * profile-likelihood-based confidence intervals*, Journal of the Royal Statistical Society C 37, 1988).
 *
 * No share is larger than 1, which is [top] above the level. Where even the best ramp is farther from the points than
 * their variances explain, variances are taken to be as much larger. Processes of a stack differ, which raises or
 * lowers the fall as a whole: by a standard deviation of [together], as a logarithm. The points do not show that,
 * because they are of the same processes.
 */
internal class ShareRamp(
    private val points: List<RampPoint>,
    private val together: Double,
    private val top: Double,
) {
    /**
     * Where in [within] the share may cross the level, with 95 % confidence; [freedom] is that of the variances. All of
     * [within] if there are too few points to tell.
     */
    fun crossing(within: ClosedRange<Double>, freedom: Double): ClosedRange<Double> {
        val wide = within.endInclusive - within.start
        if (points.size < FEWEST_POINTS || wide <= 0) return within
        val crossings = List(STEPS + 1) { within.start + wide * it / STEPS }
        val corners = corners(within)
        val nearest = crossings.map { at -> nearest(at, corners) }
        val distances = nearest.map { it.distance }
        val best = distances.indices.minBy { distances[it] }
        val quantile = studentQuantile(CONFIDENCE, freedom)
        val unexplained = maxOf(1.0, distances[best] / (points.size - FEWEST_POINTS + 1))
        val limit = distances[best] + quantile * quantile * unexplained
        if (limit.isInfinite()) return within
        val first = distances.indexOfFirst { it <= limit }
        val last = distances.indexOfLast { it <= limit }
        val low = if (first == 0) crossings[0] else
            between(crossings[first - 1], distances[first - 1], crossings[first], distances[first], limit)
        val high = if (last == STEPS) crossings[STEPS] else
            between(crossings[last + 1], distances[last + 1], crossings[last], distances[last], limit)
        // What lies between two of the crossings was not looked at.
        val shifted = hypot(quantile * together / nearest[best].steep.coerceAtMost(STEEPEST_LAW), wide / STEPS / 2)
        val from = crossings[best] - hypot(crossings[best] - low, shifted)
        val to = crossings[best] + hypot(high - crossings[best], shifted)
        return from.coerceAtLeast(within.start)..to.coerceAtMost(within.endInclusive)
    }

    /** Between a crossing [out]side of the [limit] and one [inside] of it, on a straight line of the distances. */
    private fun between(out: Double, outDistance: Double, inside: Double, inDistance: Double, limit: Double): Double =
        if (outDistance.isInfinite()) out else
            inside + (out - inside) * (limit - inDistance) / (outDistance - inDistance)

    /** Where the ramp may have corners: everywhere from a little before the points to a little beyond them. */
    private fun corners(within: ClosedRange<Double>): List<Double> {
        val at = (points.map { it.at } + within.start + within.endInclusive).distinct().sorted()
        val between = at.zipWithNext().flatMap { (one, other) ->
            val parts = ceil((other - one) / APART).toInt()
            List(parts) { one + (other - one) * it / parts }
        }
        return listOf(at.first() - BEYOND) + between + at.last() + listOf(at.last() + BEYOND)
    }

    /**
     * Weighted squares of the distances of the points from the nearest ramp that crosses the level [at]. Such a ramp
     * from one corner to another is as high at x as its steepness × ([at] − x), with x no farther than its corners.
     */
    private fun nearest(at: Double, corners: List<Double>): Fitted {
        val before = points.filter { it.at < at }
        val beyond = points.filter { it.at >= at }
        val begins = corners.filter { it < at - STEEPEST }.map { corner ->
            Half(at - corner, Sums().also { sums -> before.forEach { sums.add(it, at - maxOf(it.at, corner)) } })
        }
        val ends = corners.filter { it > at + STEEPEST }.map { corner ->
            Half(corner - at, Sums().also { sums -> beyond.forEach { sums.add(it, at - minOf(it.at, corner)) } })
        }
        var best = Fitted(steep = 1.0, distance = Double.POSITIVE_INFINITY)
        for (begin in begins) for (end in ends) {
            val fitted = fitted(begin, end)
            if (fitted.distance < best.distance) best = fitted
        }
        return best
    }

    /** A ramp that is so [steep], and the weighted squares of the [distance]s of the points from it. */
    private class Fitted(val steep: Double, val distance: Double)

    /** The part of a ramp on one side of the crossing, which is [long]; the [sums] are those of the points there. */
    private class Half(val long: Double, val sums: Sums)

    /** Weighted sums over points, of a ramp's distance u from the crossing and of their heights y. */
    private class Sums(var uu: Double = 0.0, var uy: Double = 0.0, var yy: Double = 0.0) {
        fun add(point: RampPoint, distance: Double) {
            val weight = 1 / point.variance
            uu += weight * distance * distance
            uy += weight * distance * point.height
            yy += weight * point.height * point.height
        }
    }

    private fun fitted(begin: Half, end: Half): Fitted {
        val uu = begin.sums.uu + end.sums.uu
        val uy = begin.sums.uy + end.sums.uy
        val free = if (uu > 0) uy / uu else 0.0
        val steep = free.coerceIn(LEAST_HEIGHT / begin.long, top / begin.long)
        return Fitted(steep, begin.sums.yy + end.sums.yy - 2 * steep * uy + steep * steep * uu)
    }

    private companion object {
        const val CONFIDENCE = 0.95

        /** A ramp has four unknowns. */
        const val FEWEST_POINTS = 4
        const val STEPS = 40

        /**
         * Corners are tried so far apart, as logarithms of users. With 0.22, crossings that had no corner at the right
         * place seemed impossible: 12 of 100 intervals missed, in place of 1 (simulated).
         */
        const val APART = 0.08
        const val BEYOND = 0.1

        /** A fall takes 2 % of the users at least on either side. */
        const val STEEPEST = 0.02

        /** A share that fits is above the level by this much, as a logarithm: otherwise it does not cross it. */
        const val LEAST_HEIGHT = 0.02

        /** By the law no share falls faster than 1 ÷ users. A ramp between two points may be steeper by chance. */
        const val STEEPEST_LAW = 1.0
    }
}
