package threadgauge.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import kotlin.math.sqrt
import org.junit.jupiter.api.Test

class DeviationRatioTest {
    @Test
    fun `the interval is that of the ratio of variances`() {
        // Variances 4 and 1 with two degrees of freedom each: F at 97.5 % is 39.
        val (ratio, interval) = deviationRatio(listOf(-2.0, 0.0, 2.0), listOf(9.0, 10.0, 11.0))!!
        ratio shouldBe (2.0 plusOrMinus 1e-12)
        interval.low shouldBe (2 / sqrt(39.0) plusOrMinus 1e-9)
        interval.high shouldBe (2 * sqrt(39.0) plusOrMinus 1e-9)
    }

    @Test
    fun `with ten values each it reaches from half to twice`() {
        val values = List(10) { it.toDouble() }
        val (_, interval) = deviationRatio(values, values)!!
        // F(9, 9) at 97.5 % is 4.026.
        interval.high shouldBe (sqrt(4.026) plusOrMinus 1e-3)
        interval.low shouldBe (1 / sqrt(4.026) plusOrMinus 1e-3)
    }

    @Test
    fun `what does not vary has no ratio`() {
        deviationRatio(listOf(1.0), listOf(1.0, 2.0)).shouldBeNull()
        deviationRatio(listOf(1.0, 1.0), listOf(1.0, 2.0)).shouldBeNull()
        deviationRatio(listOf(1.0, 2.0), listOf(1.0, 1.0)).shouldBeNull()
    }

    @Test
    fun `it contains the truth in 95 of 100 cases, for unequal numbers too`() {
        val random = fastRandom(1)
        val held = (1..4_000).count {
            val (_, interval) =
                deviationRatio(List(12) { 0.06 * random.nextGaussian() }, List(7) { 0.09 * random.nextGaussian() })!!
            0.06 / 0.09 in interval.low..interval.high
        }
        (held / 4_000.0).shouldBeBetween(0.94, 0.96, 0.0)
    }
}
