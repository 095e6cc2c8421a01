package threadgauge.stats

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import org.junit.jupiter.api.Test

class ResamplesTest {
    @Test
    fun `two trials can be drawn in three ways, of known probabilities`() {
        val drawn = ArrayList<List<Int>>()
        val sum = Resamples.of(2) { counts -> drawn += counts.toList(); counts[1].toDouble() }
        drawn.toSet() shouldBe setOf(listOf(2, 0), listOf(1, 1), listOf(0, 2))
        sum.quantile(0.25) shouldBe 0.0
        sum.quantile(0.26) shouldBe 1.0
        sum.quantile(0.75) shouldBe 1.0
        sum.quantile(0.76) shouldBe 2.0
        shouldThrow<IllegalArgumentException> { Resamples.of(1) { 0.0 } }
    }

    @Test
    fun `the variance of a mean is the textbook's, enumerated or drawn`() {
        val random = Random(5)
        for (trials in listOf(2, 3, 5, 7, 8, 20)) {
            val values = List(trials) { random.nextGaussian() }
            val mean = values.average()
            val textbook = values.sumOf { (it - mean) * (it - mean) } / (trials - 1) / trials
            val resamples = Resamples.of(trials) { counts -> values.indices.sumOf { counts[it] * values[it] } / trials }
            resamples.variance shouldBe (textbook plusOrMinus textbook * if (trials <= 7) 1e-9 else 0.06)
        }
    }

    @Test
    fun `quantiles of a difference agree with all differences written out`() {
        val random = Random(6)
        fun spread() = List(4) { random.nextGaussian() }.let { v ->
            Resamples.of(4) { c -> v.indices.sumOf { c[it] * v[it] } } to v
        }
        repeat(20) {
            val (a, av) = spread()
            val (b, bv) = spread()
            val all = ArrayList<Double>()
            for (i in 0..<256) for (j in 0..<256) all += digits(i).sumOf { av[it] } - digits(j).sumOf { bv[it] }
            all.sort()
            for (share in listOf(0.01, 0.3, 0.5, 0.99)) {
                val found = a.quantileOfDifference(b, share)
                val least = all[(share * all.size).toInt() - 2]
                val most = all[minOf(all.size - 1, (share * all.size).toInt() + 2)]
                (found >= least - 1e-6 && found <= most + 1e-6) shouldBe true
            }
        }
    }

    @Test
    fun `an interval scales with its values, and a ratio turned round is the inverse`() {
        val random = Random(7)
        repeat(50) {
            val trials = 3 + random.nextInt(5)
            val a = List(trials) { exp(random.nextGaussian()) }
            val b = List(trials) { exp(random.nextGaussian()) }
            val one = ratioInterval(a, b)!!
            val other = ratioInterval(b, a)!!
            other.low shouldBe (1 / one.high plusOrMinus 1e-6 / one.high)
            val tenfold = ratioInterval(a.map { it * 10 }, b)!!
            tenfold.low shouldBe (10 * one.low plusOrMinus 1e-5 * one.low * 10)
            val surer = ratioInterval(a, b, 0.99)!!
            surer.low.shouldBeLessThanOrEqual(one.low + 1e-9)
            (-surer.high).shouldBeLessThanOrEqual(-one.high + 1e-9)
        }
    }

    @Test
    fun `as many trials as it says are enough to tell, and one fewer are not`() {
        val random = Random(8)
        fun trials(n: Int, truth: Double) = List(n) { truth * exp(0.05 * random.nextGaussian()) }
        val top = spreadOf(trials(5, 1.08))!!
        val bottom = spreadOf(trials(5, 1.0))!!
        val enough = trialsToTell(varianceOfOne(top, bottom), 1.08, 1.03, 0.95, soFar = 5, most = 100)!!
        // The textbook's sample size for a difference of ln 1.08 - ln 1.03 and a standard deviation of about 5 %.
        val variance = 5 * (top.resamples.variance + bottom.resamples.variance)
        val textbook = 1.96 * 1.96 * variance / (ln(1.08) - ln(1.03)).let { it * it }
        abs(enough - textbook).shouldBeLessThan(3.0)
        // Where so many have not told, it takes more.
        trialsToTell(varianceOfOne(top, bottom), 1.08, 1.03, 0.95, soFar = enough + 3, most = 100) shouldBe enough + 4
        trialsToTell(varianceOfOne(top, bottom), 1.031, 1.03, 0.95, soFar = 5, most = 100) shouldBe null
    }
}

/** The four digits of [number] to the base of four: one of all draws of four from four. */
private fun digits(number: Int) = List(4) { number shr (2 * it) and 3 }
