package threadgauge.stats

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test

class MergedTest {
    @Test
    fun `a percentile of trials of equal size is that of their sum`() {
        val random = Random(1)
        repeat(30) {
            val trials =
                List(1 + random.nextInt(6)) { histogramOf(List(500) { exp(12 + random.nextGaussian()).toLong() }) }
            val sum = Histogram(3).also { all -> trials.forEach(all::add) }
            for (percentile in listOf(50.0, 90.0, 99.0)) {
                val known = sum.getValueAtPercentile(percentile).toDouble()
                Merged(trials).percentile(percentile / 100) shouldBe (known plusOrMinus known * 0.002)
            }
        }
    }

    @Test
    fun `it is not the mean of the trials' percentiles`() {
        val fast = histogramOf(List(1_000) { 1_000L })
        val slow = histogramOf(List(1_000) { 100_000L })
        // Of nine fast trials and a slow one, one request in ten is slow: p99 is 100 µs, the mean of all p99 is 10.9
        // µs.
        val merged = Merged(List(9) { fast } + slow)
        merged.percentile(0.99) shouldBe (100_000.0 plusOrMinus 100.0)
        merged.percentile(0.89) shouldBe (1_000.0 plusOrMinus 1.0)
    }

    @Test
    fun `each trial counts once, however many requests it served`() {
        val many = histogramOf(List(10_000) { 1_000L })
        val few = histogramOf(List(10) { 100_000L })
        Merged(listOf(many, few)).percentile(0.6) shouldBe (100_000.0 plusOrMinus 100.0)
    }

    @Test
    fun `no requests have no percentiles, and two trials no spread`() {
        shouldThrow<IllegalArgumentException> { Merged(listOf(Histogram(3))) }
        shouldThrow<IllegalArgumentException> { Merged(emptyList()) }
        val one = histogramOf(listOf(5L))
        Merged(listOf(one, one)).spread(0.5).shouldBeNull()
        intervalOf(Merged(listOf(one, one, one)).spread(0.5)!!).low shouldBe (5.0 plusOrMinus 1e-9)
    }

    private fun histogramOf(values: List<Long>) = Histogram(3).also { values.forEach(it::recordValue) }
}
