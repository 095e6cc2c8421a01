package threadgauge.stats.rounds

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.util.Locale
import java.util.random.RandomGenerator
import kotlin.math.ln
import kotlin.math.pow
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import threadgauge.stats.fastRandom
import threadgauge.stats.heavyTailed
import threadgauge.stats.shared

class UsualVarianceTest {
    @Test
    fun `variances that are as alike as chance allows count as much as they may`() {
        val usual = usualVariance(List(6) { ratioOf(0.0, 0.1, 0.2) }).shouldNotBeNull()
        usual.degreesOfFreedom shouldBe 2.0
        // Estimates and what is usual have two degrees of freedom each, so the means of their logarithms are alike.
        usual.varianceOfBlock shouldBe (0.01 plusOrMinus 1e-9)
    }

    @Test
    fun `variances that have nothing in common count for nothing`() {
        val ratios = listOf(0.001, 0.005, 0.02, 0.1, 0.5, 2.0).map { ratioOf(0.0, it, 2 * it) }
        usualVariance(ratios).shouldNotBeNull().degreesOfFreedom shouldBeLessThan 0.7
    }

    @Test
    fun `a few comparisons do not show what is usual, nor do those that do not vary`() {
        usualVariance(List(5) { ratioOf(0.0, 0.1, 0.2) }).shouldBeNull()
        usualVariance(List(9) { ratioOf(0.1, 0.1, 0.1) }).shouldBeNull()
    }

    @Test
    fun `a mixed variance is between the own and the usual one, by their degrees of freedom`() {
        val own = ratioOf(0.0, 0.1, 0.2)
        val mixed = own.mixedWith(UsualVariance(0.04, 4.0))
        mixed.ratio shouldBe own.ratio
        mixed.degreesOfFreedom shouldBe 6.0
        (mixed.standardError * mixed.standardError * 3) shouldBe ((2 * 0.01 + 4 * 0.04) / 6 plusOrMinus 1e-12)
    }

    /** All pairs of a situation share the confidence, so that all hold together in 95 of 100 runs. */
    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    internal fun `in 93 of 100 runs all intervals of a situation hold, however its processes vary`(kind: Variety) {
        for ((stacks, blocks) in listOf(4 to 3, 4 to 4, 4 to 6, 6 to 3)) {
            val random = fastRandom(1_000L * kind.ordinal + 100L * stacks + blocks)
            val confidence = shared(0.95, stacks * (stacks - 1) / 2)
            var widths = 0.0
            val hits = (1..DRAWS).count {
                val ratios = kind.draw(stacks, blocks, random)
                val usual = usualVariance(ratios).shouldNotBeNull()
                val mixed = ratios.map { it.mixedWith(usual) }
                widths += mixed.zip(ratios) { one, own -> one.log(confidence) / own.log(confidence) }.average()
                mixed.all { 1.0 in it.interval(confidence) }
            }
            val share = hits / DRAWS.toDouble()
            println(
                "coverage %5.2f %%, width × %.2f  %s, %d stacks, %d blocks"
                    .format(Locale.ROOT, 100 * share, widths / DRAWS, kind, stacks, blocks),
            )
            share shouldBeGreaterThan 0.93
            widths / DRAWS shouldBeLessThan if (blocks == 3) 0.65 else 0.95
        }
    }

    /** Half of the width of its interval, as a logarithm. */
    private fun PairedRatio.log(confidence: Double) = ln(1 + halfWidth(confidence))

    private fun ratioOf(vararg blocks: Double) = pairedRatio(blocks.map(::listOf)).shouldNotBeNull()
}

/** How much the processes of a stack differ, as a share of 4 %. */
internal enum class Variety(private val of: (stack: Int) -> Double) {
    ALL_ALIKE({ 1.0 }),
    ONE_STACK_TWICE({ if (it == 0) 2.0 else 1.0 }),
    ONE_STACK_THRICE({ if (it == 0) 3.0 else 1.0 }),
    ONE_STACK_A_QUARTER({ if (it == 0) 0.25 else 1.0 }),
    EACH_HALF_AS_MUCH_AGAIN({ 1.5.pow(it) }),
    HEAVY_TAILS({ 1.0 }),
    ;

    /** The ratios of all pairs; all are 1 in truth. */
    fun draw(stacks: Int, blocks: Int, random: RandomGenerator): List<PairedRatio> {
        val logs = List(stacks) { stack ->
            List(blocks) { 0.04 * of(stack) * if (this == HEAVY_TAILS) random.heavyTailed() else random.nextGaussian() }
        }
        return logs.indices.flatMap { a -> (a + 1..logs.lastIndex).map { b -> logs[a].zip(logs[b]) { x, y -> x - y } } }
            .map { differences -> pairedRatio(differences.map(::listOf))!! }
    }
}

private const val DRAWS = 2_000
