package threadgauge.load.schedule

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.long
import io.kotest.property.arbitrary.map
import io.kotest.property.checkAll
import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.sqrt
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test

private const val SECOND = 1_000_000_000L

class ScheduleTest {
    @Test
    fun `a constant rate is equally spaced`() {
        val schedule = ConstantRate(4.0, 2 * SECOND)
        schedule.times() shouldBe listOf(0L, 250, 500, 750, 1000, 1250, 1500, 1750).map { it * 1_000_000 }
    }

    @Test
    fun `a rate below one per second still has its first arrival at once`() {
        ConstantRate(0.5, 3 * SECOND).times() shouldBe listOf(0L, 2 * SECOND)
    }

    @Test
    fun `a product slightly above a whole number does not add an arrival`() {
        ConstantRate(0.1, 30 * SECOND).size shouldBe 3
        ConstantRate(1_000.0 / 3, 3 * SECOND).size shouldBe 1_000
    }

    @Test
    fun `a ramp has half the arrivals of its top rate and follows the square root`() {
        val ramp = LinearRamp(0.0, 100.0, 10 * SECOND)
        ramp.size shouldBe 500
        // From 0 to c t, arrival k is at √(2 k / c): with c = 10 per second², the 5th at 1 s, the 20th at 2 s.
        ramp.intendedNanos(5) shouldBe SECOND
        ramp.intendedNanos(20) shouldBe 2 * SECOND
        ramp.intendedNanos(499) shouldBeLessThanOrEqual 10 * SECOND
    }

    @Test
    fun `a ramp between equal rates is a constant rate`() {
        LinearRamp(40.0, 40.0, SECOND).times() shouldBe ConstantRate(40.0, SECOND).times()
    }

    @Test
    fun `a ramp up and the same ramp down have equally many arrivals in mirrored seconds`() {
        val up = LinearRamp(5.0, 500.0, 60 * SECOND).perSecond()
        val down = LinearRamp(500.0, 5.0, 60 * SECOND).perSecond()
        for (second in 0..59) abs(up[second] - down[59 - second]) shouldBeLessThanOrEqual 1
    }

    @Test
    fun `each second of a ramp has as many arrivals as the area under the rate, within one`() {
        val perSecond = LinearRamp(5.0, 500.0, 60 * SECOND).perSecond()
        for (second in 0..59) {
            val area = 5 + 495 / 60.0 * (second + 0.5)
            abs(perSecond[second] - area)
                .let { check(it <= 1.0) { "second $second: ${perSecond[second]} instead of $area" } }
        }
    }

    @Test
    fun `a burst is all at once`() {
        Burst(3).times() shouldBe listOf(0L, 0L, 0L)
    }

    @Test
    fun `steps follow each other without a gap`() {
        val steps = Steps(listOf(ConstantRate(2.0, SECOND), Burst(2), ConstantRate(4.0, SECOND)))
        steps.times() shouldBe listOf(0L, 500, 1_000, 1_000, 1_000, 1_250, 1_500, 1_750).map { it * 1_000_000 }
        steps.lengthNanos shouldBe 2 * SECOND
    }

    @Test
    fun `a ramp up and down has in each second as many arrivals as the area`() {
        val steps = Steps(listOf(LinearRamp(5.0, 500.0, 30 * SECOND), LinearRamp(500.0, 5.0, 30 * SECOND)))
        val perSecond = steps.perSecond()
        for (second in 0..59) {
            val middle = if (second < 30) second + 0.5 else 59.5 - second
            abs(perSecond[second] - (5 + 495 / 30.0 * middle))
                .let { check(it <= 1.5) { "second $second is off by $it" } }
        }
    }

    @Test
    fun `intervals of Poisson arrivals are exponentially distributed`() {
        val times = Poisson(1_000.0, 20 * SECOND, seed = 3).times()
        val distances = times.zipWithNext { a, b -> (b - a) / 1e9 }.sorted()
        // Kolmogorov-Smirnov test: the largest distance between the two distributions; its critical value for a
        // significance level of 1 % is 1.63 / √n.
        val gap = distances.withIndex().maxOf { (i, x) ->
            val expected = 1 - exp(-1_000.0 * x)
            maxOf(abs((i + 1.0) / distances.size - expected), abs(i.toDouble() / distances.size - expected))
        }
        check(gap < 1.63 / sqrt(distances.size.toDouble())) { "the distances are not exponential: $gap" }
        // Equal intervals, for comparison, fail by far.
        val even = ConstantRate(1_000.0, 20 * SECOND).times().zipWithNext { a, b -> (b - a) / 1e9 }.sorted()
        check(even.maxOf { abs(0.0 - (1 - exp(-1_000.0 * it))) } > 0.5)
    }

    @Test
    fun `the number of Poisson arrivals per second varies as it should, and not more`() {
        val schedule = Poisson(100.0, 400 * SECOND, seed = 5)
        val counts = IntArray(400).also { counts -> schedule.times().forEach { counts[(it / SECOND).toInt()]++ } }
        val mean = counts.average()
        val variance = counts.sumOf { (it - mean) * (it - mean) } / (counts.size - 1)
        abs(mean - 100) shouldBeLessThanOrEqual 2.0
        // Mean and variance of a Poisson distribution are equal; for 400 draws the ratio is within a quarter almost
        // surely.
        abs(variance / mean - 1) shouldBeLessThanOrEqual 0.25
    }

    @Test
    fun `the same seed gives the same Poisson arrivals, in any order of access`() {
        val one = Poisson(50.0, 5 * SECOND + 300_000_000, seed = 9)
        val other = Poisson(50.0, 5 * SECOND + 300_000_000, seed = 9)
        (0..<one.size).shuffled(kotlin.random.Random(1)).associateWith { one.intendedNanos(it) }.toSortedMap()
            .values.toList() shouldBe
            other.times()
        other.times().last() shouldBeLessThanOrEqual 5 * SECOND + 300_000_000
        check(Poisson(50.0, 5 * SECOND, seed = 10).times() != Poisson(50.0, 5 * SECOND, seed = 9).times())
    }

    @Test
    fun `slices together are the whole`() = runBlocking<Unit> {
        checkAll(
            fixed(200), rates(1, 5_000), rates(1, 5_000), Arb.long(1, 5 * SECOND), Arb.int(1, 7),
        ) { from, to, length, parts ->
            val whole = LinearRamp(from, to, length)
            val slices = (0..<parts).map { whole.slice(it, parts) }
            slices.flatMap { it.times() } shouldContainExactlyInAnyOrder whole.times()
        }
    }

    @Test
    fun `times never decrease and stay within the length`() = runBlocking<Unit> {
        checkAll(fixed(300), rates(0, 20_000), rates(1, 20_000), Arb.long(1, 3 * SECOND)) { from, to, length ->
            val ramp = LinearRamp(from, to, length)
            for (schedule in listOf(
                ramp, ConstantRate(to, length), Poisson(to, length, 1), Steps(listOf(ramp, ramp)),
            )) {
                val times = schedule.times()
                times shouldBe times.sorted()
                times.lastOrNull()?.let { it shouldBeLessThanOrEqual schedule.lengthNanos }
            }
        }
    }

    @Test
    fun `impossible schedules are rejected`() {
        shouldThrow<IllegalArgumentException> { ConstantRate(0.0, SECOND) }
        shouldThrow<IllegalArgumentException> { LinearRamp(0.0, 0.0, SECOND) }
        shouldThrow<IllegalArgumentException> { LinearRamp(-1.0, 5.0, SECOND) }
        shouldThrow<IllegalArgumentException> { Burst(0) }
        shouldThrow<IllegalArgumentException> { Burst(5).slice(2, 2).size }
    }
}

private fun Schedule.times() = (0..<size).map { intendedNanos(it) }

private fun Schedule.perSecond() =
    LongArray(60).also { counts -> times().forEach { counts[minOf(59, (it / SECOND).toInt())]++ } }

/** The same draws in every run, so that a failing test fails again. */
private fun fixed(iterations: Int) = PropTestConfig(seed = 1, iterations = iterations)

/** Rates per second, in tenths. */
private fun rates(from: Int, to: Int) = Arb.int(from, to).map { it / 10.0 }
