package threadgauge.stats.rounds

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import kotlin.math.sqrt
import org.junit.jupiter.api.Test

class PairedRatioTest {
    @Test
    fun `the ratio is that of the means of blocks, with Student's interval`() {
        // Means 0.1, 0.2, 0.3: deviation 0.1, standard error 0.1 ÷ √3, Student's quantile 4.302653.
        val paired = pairedRatio(listOf(listOf(0.0, 0.2), listOf(0.2, 0.2), listOf(0.4, 0.2)))!!
        paired.ratio shouldBe (exp(0.2) plusOrMinus 1e-12)
        paired.standardError shouldBe (0.1 / sqrt(3.0) plusOrMinus 1e-12)
        paired.degreesOfFreedom shouldBe 2.0
        paired.interval().low shouldBe (exp(0.2 - 4.302653 * 0.1 / sqrt(3.0)) plusOrMinus 1e-6)
        paired.halfWidth() shouldBe (exp(4.302653 * 0.1 / sqrt(3.0)) - 1 plusOrMinus 1e-6)
    }

    @Test
    fun `below three blocks there is no interval`() {
        pairedRatio(listOf(listOf(0.0, 0.2), listOf(0.2, 0.4))).shouldBeNull()
    }

    @Test
    fun `single rounds have an interval, but no components`() {
        val paired = pairedRatio(listOf(listOf(0.1), listOf(0.2), listOf(0.3)))!!
        paired.components.shouldBeNull()
        paired.standardError shouldBe (0.1 / sqrt(3.0) plusOrMinus 1e-12)
    }

    @Test
    fun `a short block counts less from five blocks on, if rounds vary more than blocks`() {
        val even = listOf(-0.2, 0.2, -0.2, 0.2, -0.2, 0.2, -0.2, 0.2)
        pairedRatio(List(3) { even } + listOf(listOf(0.5)))!!.logRatio shouldBe (0.125 plusOrMinus 1e-12)
        // Between blocks nothing: the weight of the short one is 1 in 33.
        pairedRatio(List(4) { even } + listOf(listOf(0.15)))!!.logRatio shouldBe (0.15 / 33 plusOrMinus 1e-12)
    }

    @Test
    fun `rounds that do not vary at all have a ratio without width`() {
        pairedRatio(listOf(List(1) { 0.1 }) + List(4) { List(3) { 0.1 } })!!.halfWidth() shouldBe (0.0 plusOrMinus 1e-9)
    }

    @Test
    fun `components of a textbook example`() {
        // Means 1, 3, 5; within 2 · 3 ÷ 3 = 2; between 2 · 8 ÷ 2 = 8; (8 − 2) ÷ 2 = 3.
        val components = varianceComponents(listOf(listOf(0.0, 2.0), listOf(2.0, 4.0), listOf(4.0, 6.0)))!!
        components.betweenRounds shouldBe (sqrt(2.0) plusOrMinus 1e-12)
        components.betweenBlocks shouldBe (sqrt(3.0) plusOrMinus 1e-12)
    }

    @Test
    fun `components are right on average, for blocks of unequal size too`() {
        val random = Random(1)
        val sums = DoubleArray(2)
        repeat(2_000) {
            val blocks = listOf(2, 5, 9, 20, 20, 3).map { size ->
                val block = 0.05 * random.nextGaussian()
                List(size) { block + 0.08 * random.nextGaussian() }
            }
            val components = varianceComponents(blocks)!!
            sums[0] += components.betweenRounds.let { it * it } / 2_000
            sums[1] += components.betweenBlocks.let { it * it } / 2_000
        }
        sqrt(sums[0]) shouldBe (0.08 plusOrMinus 0.001)
        sqrt(sums[1]) shouldBe (0.05 plusOrMinus 0.002)
    }

    @Test
    fun `a difference between blocks below zero is none, and one block has none`() {
        varianceComponents(List(3) { listOf(-0.1, 0.1) })!!.betweenBlocks shouldBe 0.0
        varianceComponents(listOf(listOf(0.1, 0.2))).shouldBeNull()
        varianceComponents(listOf(listOf(0.1), listOf(0.2))).shouldBeNull()
    }

    @Test
    fun `a covariate that explains everything leaves nothing`() {
        val xs =
            listOf(listOf(-0.1, 0.2, 0.0, 0.1, 0.05), listOf(0.1, -0.2, 0.0, 0.1, -0.3), List(5) { 0.1 * it - 0.2 })
        val adjusted = RoundCovariate.of(xs.map { block -> block.map { 0.3 - 0.7 * it } }, xs)!!
        adjusted.slope shouldBe (-0.7 plusOrMinus 1e-12)
        adjusted.adjusted.flatten().forEach { it shouldBe (0.3 plusOrMinus 1e-12) }
    }

    @Test
    fun `no slope is fitted to few rounds, few blocks, or a covariate that does not vary`() {
        fun of(blocks: Int, rounds: Int, x: (Int) -> Double) =
            RoundCovariate.of(List(blocks) { List(rounds) { 0.1 * it } }, List(blocks) { List(rounds) { x(it) } })
        of(3, 4) { it - 1.5 }.shouldBeNull()
        of(2, 20) { it - 9.5 }.shouldBeNull()
        of(3, 20) { 0.0 }.shouldBeNull()
        of(3, 20) { it.toDouble() }.shouldBeNull()
        of(3, 20) { it - 9.5 }.shouldNotBeNull()
    }
}
