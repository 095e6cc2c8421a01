package threadgauge.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.util.Random
import org.junit.jupiter.api.Test

class PoissonRatesTest {
    @Test
    fun `equal counts at equal exposure are most probable`() {
        equalRates(10, 1.0, 10, 1.0) shouldBe 1.0
        equalRates(0, 1.0, 0, 1.0) shouldBe 1.0
    }

    @Test
    fun `known values of the binomial distribution`() {
        // All ten on one side: twice two to the power of minus ten.
        equalRates(0, 1.0, 10, 1.0) shouldBe (2 / 1024.0 plusOrMinus 1e-12)
        equalRates(10, 1.0, 0, 1.0) shouldBe (2 / 1024.0 plusOrMinus 1e-12)
        // Three of four where a quarter is expected: 4 × (1/4)³ × 3/4 + (1/4)⁴ = 13/256, doubled.
        equalRates(1, 3.0, 3, 1.0) shouldBe (26 / 256.0 plusOrMinus 1e-12)
    }

    @Test
    fun `a doubled rate shows in a hundred samples`() {
        equalRates(100, 1.0, 200, 1.0) shouldBeLessThan 1e-7
        equalRates(100, 1.0, 200, 2.0) shouldBeGreaterThan 0.9
    }

    @Test
    fun `equal rates seem to differ no more often than they may`() {
        val random = Random(7)
        val seen = (1..2_000).count {
            equalRates(poisson(random, 60.0), 1.0, poisson(random, 90.0), 1.5) < 0.05
        }
        // The counts are whole, so that it is less often.
        (seen / 2_000.0) shouldBeLessThan 0.055
        (seen / 2_000.0) shouldBeGreaterThan 0.015
    }

    private fun poisson(random: Random, mean: Double): Long {
        var count = 0L
        var left = mean
        while (true) {
            left += Math.log(1 - random.nextDouble())
            if (left < 0) return count
            count++
        }
    }
}
