package threadgauge.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.util.Locale
import java.util.Random
import kotlin.math.exp
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import threadgauge.model.WarmUpIteration

class WarmUpDistanceTest {
    @Test
    fun `an approach without noise is measured where it is`() {
        for (tau in listOf(4.0, 6.0, 10.0, 20.0)) for (end in listOf(0.01, 0.05)) withClue("$tau, $end") {
            val distance = warmUpDistance(curve(16) { -end * exp((15 - it) / tau) })!!
            distance.share shouldBe (exp(-end) plusOrMinus 0.002)
            distance.interval.low.shouldBeBetween(exp(-end) - 0.005, distance.share, 1e-9)
            distance.disturbed shouldBe 0
        }
    }

    @Test
    fun `fewer than five iterations say nothing, nor do those that answer nothing`() {
        warmUpDistance(emptyList()).shouldBeNull()
        warmUpDistance(curve(4) { 0.0 }).shouldBeNull()
        warmUpDistance(curve(5) { 0.01 * it }).shouldNotBeNull()
        warmUpDistance(curve(9) { if (it == 4) Double.NEGATIVE_INFINITY else 0.0 }).shouldBeNull()
    }

    @Test
    fun `a curve that is flat or falls is at its plateau`() {
        for (slope in listOf(0.0, -0.001, -0.05)) withClue(slope) {
            val distance = warmUpDistance(curve(12) { slope * it })!!
            distance.share shouldBe 1.0
            distance.interval.high shouldBe 1.0
        }
    }

    @Test
    fun `a curve that rises like a line may have much before it`() {
        val random = Random(1)
        val distance = warmUpDistance(curve(20) { 0.02 * it + 0.02 * random.nextGaussian() })!!
        distance.interval.low shouldBeLessThan 0.75
        (distance.interval.high - distance.interval.low) shouldBeGreaterThan 0.15
        distance.share shouldBeLessThan 0.97
    }

    @Test
    fun `the interpreter's iterations do not pull at the curve`() {
        // Two phases: a fast one that ends with the interpreter, and a slow one that leaves 4 % at the end.
        val random = Random(5)
        val distance = warmUpDistance(
            curve(20) { -3 * exp(-it / 0.7) - 0.04 * exp((19 - it) / 10.0) + 0.005 * random.nextGaussian() },
        )!!
        distance.share shouldBe (exp(-0.04) plusOrMinus 0.03)
        (exp(-0.04) in distance.interval) shouldBe true
    }

    @Test
    fun `disturbed iterations do not decide`() {
        val random = Random(2)
        val clean = curve(20) { -0.03 * exp((19 - it) / 6.0) + 0.01 * random.nextGaussian() }
        val hit = clean.mapIndexed { index, it ->
            if (index in listOf(8, 15, 18)) it.copy(answeredPerSecond = 0.5 * it.answeredPerSecond) else it
        }
        warmUpDistance(clean)!!.disturbed shouldBe 0
        val distance = warmUpDistance(hit)!!
        distance.disturbed shouldBe 3
        distance.share shouldBe (warmUpDistance(clean)!!.share plusOrMinus 0.01)
    }

    @Test
    fun `neither the unit of the rates nor that of the times matters`() {
        val random = Random(3)
        val one = curve(15) { -0.1 * exp((14 - it) / 5.0) + 0.03 * random.nextGaussian() }
        val other = one.map {
            it.copy(answeredPerSecond = 7 * it.answeredPerSecond, atMillis = 3 * it.atMillis + 5_000)
        }
        warmUpDistance(other)!!.share shouldBe (warmUpDistance(one)!!.share plusOrMinus 1e-9)
    }

    @Test
    fun `more noise makes the interval wider`() {
        fun width(noise: Double) = Random(4).let { random ->
            warmUpDistance(curve(15) { -0.05 * exp((14 - it) / 4.0) + noise * random.nextGaussian() })!!.interval
                .let { it.high - it.low }
        }
        width(0.05) shouldBeGreaterThan 2 * width(0.01)
    }

    /**
     * [tau] as a share of the time observed; [start] is the logarithm of the plateau ÷ the first rate. Where the
     * distance is near zero or the plateau out of sight, intervals end at a bound, so they contain the truth more often
     * than 95 times in 100. Of 1,000 intervals, 1.4 in 100 is two standard errors.
     */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource(
        "0.15, 1.0", "0.15, 3.0", "0.3, 0.5", "0.3, 2.0", "0.6, 0.2", "0.6, 1.5", "1.0, 0.5", "1.5, 0.5",
    )
    fun `of 1,000 intervals 92 in 100 or more hold the distance`(tau: Double, start: Double) {
        val end = start * exp(-1 / tau)
        for (count in listOf(8, 15, 30)) for (noise in listOf(0.01, 0.03, 0.10)) for (hit in listOf(0.0, 0.1)) {
            // A deviation of 0.10 hides most of what is disturbed, so it only makes intervals wider.
            if (noise == 0.10 && hit > 0) continue
            val random = fastRandom(count + (1_000 * noise).toLong())
            val (widths, shares) = ArrayList<Double>() to ArrayList<Double>()
            val hits = (1..DRAWS).count {
                val distance = warmUpDistance(
                    curve(count) {
                        val slower = if (random.nextDouble() < hit) -0.5 else 0.0
                        -start * exp(-it / (tau * (count - 1))) + noise * random.nextGaussian() + slower
                    },
                )!!
                widths += distance.interval.high - distance.interval.low
                shares += distance.share
                exp(-end) in distance.interval
            }
            println(
                ("coverage %5.2f %%  at %.3f, found %.3f, τ %.2f, start %.1f, %d iterations, " +
                    "noise %.2f, disturbed %.1f, width %.3f").format(
                    Locale.ROOT, 100.0 * hits / DRAWS, exp(-end), median(shares), tau, start, count, noise, hit,
                    median(widths),
                ),
            )
            // A disturbed iteration at the start of the part used is taken for a steeper curve.
            val least = if (hit > 0) 0.87 else 0.92
            withClue("$count, $noise, $hit") { (hits / DRAWS.toDouble()) shouldBeGreaterThan least }
        }
    }

    /** One iteration a second, of which [log] is the logarithm of the rate ÷ 1,000. */
    private fun curve(count: Int, log: (Int) -> Double) = List(count) {
        WarmUpIteration(it, "hello", 1_000.0 * it, 1_000 * exp(log(it)), compileMillis = 0.0)
    }
}

private const val DRAWS = 1_000
