package threadgauge.stats.rounds

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.util.Locale
import java.util.random.RandomGenerator
import kotlin.math.abs
import kotlin.math.sqrt
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.fastRandom
import threadgauge.stats.heavyTailed
import threadgauge.stats.shared
import threadgauge.stats.studentQuantile

class SequentialBoundsTest {
    @Test
    fun `one look alone spends all`() {
        SequentialBounds(3).confidenceAfter(3) shouldBe (0.965 plusOrMinus 1e-12)
        SequentialBounds(3).confidenceToTell(3) shouldBe (0.965 plusOrMinus 1e-12)
        shouldThrow<IllegalArgumentException> { SequentialBounds(2) }
        shouldThrow<IllegalArgumentException> { SequentialBounds(8).confidenceAfter(9) }
        shouldThrow<IllegalArgumentException> { SequentialBounds(8).confidenceToTell(2) }
    }

    @Test
    fun `an interval that tells is never narrower than the one reported`() {
        for (bounds in listOf(3, 4, 5, 8, 12, 20, 30).map { SequentialBounds(it) }) {
            for (blocks in 3..bounds.maxBlocks) {
                bounds.confidenceToTell(blocks) shouldBeGreaterThanOrEqual bounds.confidenceAfter(blocks)
            }
        }
    }

    @Test
    fun `normal values of no difference cross the bounds as often as is spent`() {
        val bounds = SequentialBounds(12)
        val random = fastRandom(1)
        val quantiles = (3..11).associateWith { normalQuantile(bounds.confidenceToTell(it)) }
        val crossed = (1..100_000).count {
            var sum = random.nextGaussian() + random.nextGaussian()
            (3..11).any { blocks ->
                sum += random.nextGaussian()
                sum * sum > blocks * quantiles.getValue(blocks) * quantiles.getValue(blocks)
            }
        }
        // 0.3 · 0.05 · 11 ÷ 12 = 1.375 in 100; two standard errors are 0.07.
        (crossed / 1_000.0).shouldBeBetween(1.30, 1.45, 0.0)
    }

    private fun normalQuantile(confidence: Double) = studentQuantile(confidence, 1e6)
}

/**
 * Coverage of the interval that is reported when a run ends. Of [DRAWS] intervals that hold the truth 95 times in 100,
 * between 94.3 and 95.7 in 100 do so in 95 of 100 tests.
 */
@Tag("slow")
class SequentialCoverageTest {
    @ParameterizedTest
    @CsvSource("5", "12", "30")
    fun `of 4,000 runs that stop when narrow or told, 93 to 97 in 100 hold the truth`(maxBlocks: Int) {
        for (stop in Stop.entries) for (truth in listOf(0.0, 0.02, 0.05)) for (deviation in DEVIATIONS) {
            for (heavy in listOf(false, true)) {
                val run = Runs(maxBlocks, stop, truth, deviation, heavy)
                val share = run.coverage(SequentialBounds(maxBlocks))
                tell("$run", share, run.blocks)
                // Single values with heavy tails make Student's interval a little too wide without any looking, too.
                withClue("$run") { share.shouldBeBetween(0.93, if (heavy) 0.98 else 0.97, 0.0) }
            }
        }
    }

    @Test
    fun `of runs with six comparisons each is at its shared confidence`() {
        val confidence = shared(0.95, 6)
        for (stop in Stop.entries) for (deviation in DEVIATIONS) {
            val run = Runs(12, stop, 0.02, deviation, heavy = false)
            val missed = 1 - run.coverage(SequentialBounds(12, confidence), draws = 5 * DRAWS)
            tell("$run, confidence $confidence", 1 - missed, run.blocks)
            withClue("$run") { (missed / (1 - confidence)).shouldBeBetween(0.5, 1.5, 0.0) }
        }
    }

    @Test
    fun `looking without paying would hold the truth much less often`() {
        val told = Runs(12, Stop.NARROW_OR_TOLD, 0.0, 0.10, heavy = false)
        val share = told.coverage({ 0.95 }, { 0.95 })
        tell("unpaid, $told", share, told.blocks)
        share shouldBeLessThan 0.85
        val narrow = Runs(30, Stop.NARROW, 0.0, 0.05, heavy = false)
        val ofNarrow = narrow.coverage({ 0.95 }, { 0.95 })
        tell("unpaid, $narrow", ofNarrow, narrow.blocks)
        ofNarrow shouldBeLessThan 0.92
    }

    @Test
    fun `a large difference stops a run early, and equal stacks seldom run on to the end where blocks agree`() {
        val large = Runs(30, Stop.NARROW_OR_TOLD, 0.5, 0.05, heavy = false).also { it.coverage(SequentialBounds(30)) }
        large.blocks shouldBeLessThan 5.0
        val equal = Runs(30, Stop.NARROW_OR_TOLD, 0.0, 0.02, heavy = false).also { it.coverage(SequentialBounds(30)) }
        equal.blocks shouldBeLessThan 7.0
        equal.blocks shouldBeGreaterThan 3.0
    }

    private fun tell(what: String, share: Double, blocks: Double) =
        println("coverage %5.2f %%  %s (%.1f blocks)".format(Locale.ROOT, 100 * share, what, blocks))
}

private enum class Stop { NARROW, NARROW_OR_TOLD }

/** Runs of blocks that vary by [deviation] around [truth], the logarithm of the ratio. */
private data class Runs(
    val maxBlocks: Int,
    val stop: Stop,
    val truth: Double,
    val deviation: Double,
    val heavy: Boolean,
) {
    /** Mean number of blocks. */
    var blocks = 0.0
        private set

    fun coverage(bounds: SequentialBounds, draws: Int = DRAWS) =
        coverage(bounds::confidenceAfter, bounds::confidenceToTell, draws)

    fun coverage(after: (Int) -> Double, toTell: (Int) -> Double, draws: Int = DRAWS): Double {
        val looks = MIN_TRIALS..maxBlocks
        val reported = DoubleArray(maxBlocks + 1) { if (it in looks) studentQuantile(after(it), it - 1.0) else 0.0 }
        val telling = DoubleArray(maxBlocks + 1) { if (it in looks) studentQuantile(toTell(it), it - 1.0) else 0.0 }
        val random = fastRandom(100L * maxBlocks + stop.ordinal)
        var all = 0
        val hits = (1..draws).count {
            val end = oneRun(random, reported, telling)
            all += end.blocks
            abs(end.mean - truth) <= end.half
        }
        blocks = all.toDouble() / draws
        return hits.toDouble() / draws
    }

    private class End(val blocks: Int, val mean: Double, val half: Double)

    private fun oneRun(random: RandomGenerator, reported: DoubleArray, telling: DoubleArray): End {
        var sum = 0.0
        var squares = 0.0
        for (count in 1..maxBlocks) {
            val value = deviation * if (heavy) random.heavyTailed() else random.nextGaussian()
            sum += value
            squares += value * value
            if (count < MIN_TRIALS) continue
            val mean = truth + sum / count
            val error = sqrt(maxOf(0.0, squares - sum * sum / count) / (count - 1) / count)
            val half = reported[count] * error
            val told = stop == Stop.NARROW_OR_TOLD && abs(mean) > telling[count] * error
            if (half <= WITHIN || told || count == maxBlocks) return End(count, mean, half)
        }
        error("no end after $maxBlocks blocks")
    }
}

private val DEVIATIONS = listOf(0.01, 0.02, 0.04, 0.06, 0.10)
private const val WITHIN = 0.03
private const val DRAWS = 4_000
