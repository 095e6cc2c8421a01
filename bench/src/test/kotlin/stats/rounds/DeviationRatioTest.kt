package threadgauge.stats.rounds

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.stats.fastRandom

class DeviationRatioTest {
    @Test
    fun `the interval is that of the ratio of variances, with the degrees of freedom that tails leave`() {
        // Variances 4 and 1; fourth moment 34 ÷ 6, variance 10 ÷ 6, so kurtosis 2.04 and 6 ÷ 2.04 degrees of freedom.
        val (ratio, interval) = deviationRatio(listOf(-2.0, 0.0, 2.0), listOf(9.0, 10.0, 11.0))!!
        ratio shouldBe (2.0 plusOrMinus 1e-12)
        interval.low shouldBe (0.4995668 plusOrMinus 1e-6)
        interval.high shouldBe (8.0069374 plusOrMinus 1e-6)
    }

    @Test
    fun `one value far out takes the certainty away`() {
        val even = List(10) { if (it % 2 == 0) 1.0 else -1.0 }
        val (_, quiet) = deviationRatio(even.map { it * 5 }, even)!!
        quiet.low shouldBeGreaterThan 1.0
        val (ratio, interval) = deviationRatio(even, even.mapIndexed { i, it -> if (i == 3) -9.0 else 0.2 * it })!!
        ratio shouldBe (0.3685648 plusOrMinus 1e-6)
        interval.high shouldBe (2.9173038 plusOrMinus 1e-6)
    }

    @Test
    fun `what does not vary has no ratio`() {
        deviationRatio(listOf(1.0), listOf(1.0, 2.0)).shouldBeNull()
        deviationRatio(listOf(1.0, 1.0), listOf(1.0, 2.0)).shouldBeNull()
        deviationRatio(listOf(1.0, 2.0), listOf(1.0, 1.0)).shouldBeNull()
    }

    @Test
    fun `it contains the truth in 95 of 100 cases, and equal ones with bursts in 93 or more`() {
        val random = fastRandom(1)
        fun share(of: Double, value: () -> Double) = (1..4_000).count {
            val (_, interval) = deviationRatio(List(10) { of * value() }, List(10) { value() })!!
            of in interval.low..interval.high
        } / 4_000.0
        share(of = 1.0) { random.nextGaussian() }.shouldBeBetween(0.935, 0.96, 0.0)
        share(of = 0.67) { random.nextGaussian() }.shouldBeBetween(0.93, 0.96, 0.0)
        // 15 % of the rounds are four times as noisy. With nine degrees of freedom it would be 70 %.
        share(of = 1.0) { random.nextGaussian() * if (random.nextDouble() < 0.15) 4 else 1 }
            .shouldBeBetween(0.925, 0.95, 0.0)
    }
}
