package threadgauge.stats

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import org.junit.jupiter.api.Test

class IntervalsTest {
    @Test
    fun `the median is the middle, or between the two middle ones`() {
        median(listOf(3.0, 1.0, 2.0)) shouldBe 2.0
        median(listOf(4.0, 1.0, 2.0, 3.0)) shouldBe 2.5
        shouldThrow<IllegalArgumentException> { median(emptyList()) }
    }

    @Test
    fun `Student's interval of three known logarithms`() {
        // Logarithms -1, 0, 1: mean 0, deviation 1, and Student's 97.5 % quantile with 2 degrees of freedom is
        // 4.302653.
        val interval = typicalInterval(listOf(exp(-1.0), 1.0, exp(1.0)))!!
        interval.high shouldBe (exp(4.302653 / Math.sqrt(3.0)) plusOrMinus 1e-4)
        interval.low shouldBe (1 / interval.high plusOrMinus 1e-9)
    }

    @Test
    fun `Welch's interval of two known samples`() {
        val interval = ratioInterval(listOf(10.0, 11.0, 12.0, 13.0), listOf(20.0, 21.0, 23.0))!!
        interval.low shouldBe (welchByHand(
            listOf(10.0, 11.0, 12.0, 13.0), listOf(20.0, 21.0, 23.0),
        ).first plusOrMinus 1e-9)
        interval.high.shouldBeBetween(0.55, 0.70, 0.0)
    }

    @Test
    fun `in blocks, what both have in common does not widen the interval`() {
        val drift = listOf(1.0, 1.2, 0.9, 1.1, 0.8)
        val noise = listOf(1.0, 1.001, 0.999, 1.002, 1.0)
        val top = spreadOf(drift.zip(noise) { a, b -> 1.1 * a * b })!!
        val bottom = spreadOf(drift)!!
        val inBlocks = ratioIntervalInBlocks(top, bottom)
        inBlocks.low.shouldBeBetween(1.09, 1.1, 0.0)
        inBlocks.high.shouldBeBetween(1.1, 1.11, 0.0)
        (ratioIntervalOf(top, bottom).high > 1.3) shouldBe true
    }

    @Test
    fun `blocks are used where their number pays for them, and else they change nothing`() {
        fun spread(trials: Int, seed: Long): LogDistribution {
            val random = Random(seed)
            return spreadOf(List(trials) { exp(0.05 * random.nextGaussian()) })!!
        }
        fun differs(trials: Int, confidence: Double) = spread(trials, 1).let { top ->
            ratioIntervalInBlocks(
                top, spread(trials, 2), confidence,
            ) != ratioIntervalOf(top, spread(trials, 2), confidence)
        }
        listOf(3, 4, 5, 10).map { differs(it, 0.95) } shouldBe listOf(false, false, true, true)
        listOf(5, 7, 10).map { differs(it, shared(0.95, 6)) } shouldBe listOf(false, true, true)
    }

    @Test
    fun `two trials give no interval, and neither does a zero`() {
        ratioInterval(listOf(1.0, 2.0), listOf(1.0, 2.0, 3.0)).shouldBeNull()
        ratioInterval(listOf(1.0, 2.0, 0.0), listOf(1.0, 2.0, 3.0)).shouldBeNull()
        typicalInterval(listOf(1.0, 2.0)).shouldBeNull()
    }

    @Test
    fun `equal trials give a point, not a failure`() {
        ratioInterval(listOf(2.0, 2.0, 2.0), listOf(1.0, 1.0, 1.0)) shouldBe Interval(2.0, 2.0)
    }

    @Test
    fun `of intervals at 95 percent about 95 in 100 hold the truth`() {
        for (trials in listOf(3, 5)) {
            val random = Random(42)
            val draws = 2_000
            val hits = (1..draws).count {
                val a = List(trials) { 1.3 * exp(0.02 * random.nextGaussian()) }
                val b = List(trials) { exp(0.05 * random.nextGaussian()) }
                1.3 in ratioInterval(a, b)!!
            }
            (hits / draws.toDouble()).shouldBeBetween(0.93, 0.97, 0.0)
        }
    }

    @Test
    fun `sharing the confidence keeps false alarms of many comparisons rare`() {
        shared(0.95, 1) shouldBe (0.95 plusOrMinus 1e-12)
        shared(0.95, 10) shouldBe (0.995 plusOrMinus 1e-12)
        val random = Random(7)
        val runs = 500
        val alarms = (1..runs).count {
            val stacks = List(4) { List(3) { exp(0.03 * random.nextGaussian()) } }
            stacks.indices.any { i ->
                (i + 1..3).any { j -> 1.0 !in ratioInterval(stacks[i], stacks[j], shared(0.95, 6))!! }
            }
        }
        (alarms / runs.toDouble()).shouldBeBetween(0.0, 0.06, 0.0)
    }
}

/** The same formula written out in another way, in logarithms. */
private fun welchByHand(top: List<Double>, bottom: List<Double>): Pair<Double, Double> {
    fun logs(v: List<Double>) = v.map { Math.log(it) }
    fun variance(v: List<Double>) = v.sumOf { x -> Math.pow(x - v.sum() / v.size, 2.0) } / (v.size - 1)
    val (a, b) = logs(top) to logs(bottom)
    val (va, vb) = variance(a) / a.size to variance(b) / b.size
    val freedom = Math.pow(va + vb, 2.0) / (va * va / (a.size - 1) + vb * vb / (b.size - 1))
    val t = org.apache.commons.statistics.distribution.TDistribution.of(freedom).inverseCumulativeProbability(0.975)
    val d = a.sum() / a.size - b.sum() / b.size
    return exp(d - t * Math.sqrt(va + vb)) to exp(d + t * Math.sqrt(va + vb))
}
