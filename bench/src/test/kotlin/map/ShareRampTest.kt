package threadgauge.map

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.util.SplittableRandom
import kotlin.math.abs
import kotlin.math.ln
import org.junit.jupiter.api.Test

class ShareRampTest {
    /** A step of the grid. */
    private val step = ln(1.26)

    @Test
    fun `without noise the crossing is where the ramp crosses, far better than a step of the grid`() {
        for (crossing in listOf(3.1, 4.0, 5.55)) withClue(crossing) {
            val points = truth(crossing, steep = 1.0).map { (at, height) -> RampPoint(at, height, 1e-6) }
            val found = ShareRamp(points, together = 1e-3, TOP).crossing(crossing - 0.8..crossing + 0.9, 40.0)
            (found.start <= crossing + 1e-3 && found.endInclusive >= crossing - 1e-3) shouldBe true
            (found.endInclusive - found.start) shouldBeLessThan step / 2
        }
    }

    @Test
    fun `in 93 of 100 cases and more it holds the crossing, whatever the fall and the noise`() {
        val random = SplittableRandom(3)
        var held = 0
        val widths = ArrayList<Double>()
        repeat(CASES) {
            val crossing = random.nextDouble(3.0, 6.0)
            val noise = random.nextDouble(0.02, 0.08)
            val steep = random.nextDouble(0.3, 1.0)
            // The processes at hand cross the level a little sooner or later than those of the stack on average.
            val theirs = crossing + TOGETHER * random.nextGaussian() / steep
            val points = truth(theirs, steep, floor = -random.nextDouble(0.2, 1.5)).map { (at, height) ->
                RampPoint(at, height + noise * random.nextGaussian(), noise * noise)
            }
            val found = ShareRamp(points, TOGETHER, TOP).crossing(crossing - 1.1..crossing + 0.9, 40.0)
            if (crossing in found) held++
            widths += found.endInclusive - found.start
        }
        withClue("$held of $CASES") { (held >= 0.93 * CASES) shouldBe true }
        // And says much more than where it was told to look, which is two units long.
        widths.average() shouldBeLessThan 0.7
    }

    @Test
    fun `places that are known to be noisy are outvoted by the others of their column`() {
        val points = truth(4.5, steep = 1.0).map { (at, height) -> RampPoint(at, height, 4e-4) }
        val odd = points.map { if (abs(it.at - 4.5) < step) RampPoint(it.at, it.height - 0.2, 0.04) else it }
        val found = ShareRamp(odd, TOGETHER, TOP).crossing(3.6..5.4, 40.0)
        (4.5 in found) shouldBe true
        (found.endInclusive - found.start) shouldBeLessThanOrEqual 2 * step
    }

    @Test
    fun `points that no ramp comes near widen it, by how far they are away`() {
        fun width(variance: Double, scatter: Double): Double {
            val points = truth(4.5, steep = 1.0).mapIndexed { index, (at, height) ->
                RampPoint(at, height + if (index % 2 == 0) scatter else -scatter, variance)
            }
            return ShareRamp(points, TOGETHER, TOP).crossing(3.5..5.5, 40.0).let { it.endInclusive - it.start }
        }
        // What varies ten times as much as was said is as wide as if it had been said.
        val said = width(variance = 1e-2, scatter = 0.1)
        width(variance = 1e-4, scatter = 0.1) shouldBe (said plusOrMinus said / 3)
        width(variance = 1e-4, scatter = 0.0) shouldBeLessThan said / 2
    }

    @Test
    fun `too few points tell nothing`() {
        val points = truth(4.5, steep = 1.0).take(3).map { (at, height) -> RampPoint(at, height, 1e-4) }
        ShareRamp(points, TOGETHER, TOP).crossing(4.0..5.0, 10.0) shouldBe 4.0..5.0
    }

    /** The heights of every second step from 10 to 2,000 users, and of every step near the [crossing]. */
    private fun truth(crossing: Double, steep: Double, floor: Double = -1.0): List<Pair<Double, Double>> =
        (0..23).map { ln(10.0) + it * step }
            .filterIndexed { index, at -> index % 3 == 0 || abs(at - crossing) < 2 * step }
            .map { at -> at to (-steep * (at - crossing)).coerceIn(floor, TOP) }

    private companion object {
        const val CASES = 400
        const val TOGETHER = 0.02

        /** A share of 1 above a level of 0.85. */
        val TOP = -ln(0.85)
    }
}
