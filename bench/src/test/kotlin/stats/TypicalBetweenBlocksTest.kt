package threadgauge.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlin.io.path.readLines
import kotlin.math.ln
import org.junit.jupiter.api.Test
import threadgauge.experiment.projectRoot
import threadgauge.stats.rounds.VarianceComponents
import threadgauge.stats.rounds.varianceComponents

/** What is said of the typical deviation between blocks follows from the rounds that were recorded. */
class TypicalBetweenBlocksTest {
    private val slices =
        projectRoot().resolve("benchmarks/resolution/records/2026-11-26-rounds.csv").readLines().drop(1)
            .map { it.split(',') }
            .map { (run, situation, block, round, stack, rate) ->
                Slice("$run $situation", "$block $round", block.toInt(), stack, ln(rate.toDouble()))
            }

    @Test
    fun `it is the median of the tour's stacks that answer at once`() {
        val pairs = betweenBlocks("tour answers-at-once")
        pairs.size shouldBe 6
        median(pairs) shouldBe (0.021 plusOrMinus 0.0005)
        median(pairs) shouldBe (VarianceComponents.TYPICAL_BETWEEN_BLOCKS plusOrMinus 0.002)
    }

    @Test
    fun `it is less where requests block, and next to nothing for equal servers`() {
        median(betweenBlocks("tour block-the-thread")) shouldBe (0.008 plusOrMinus 0.0005)
        val equal = listOf("equal-simple 8-users", "equal-webflux hello-50-users", "slower-simple 8-users")
        for (run in equal) betweenBlocks(run).single() shouldBeLessThan 0.0035
    }

    private fun betweenBlocks(run: String): List<Double> {
        val stacks = slices.filter { it.run == run }.groupBy { it.stack }.values.toList()
        return stacks.indices.flatMap { a -> (a + 1..<stacks.size).map { b -> stacks[a] to stacks[b] } }
            .map { (a, b) -> varianceComponents(differences(a, b))!!.betweenBlocks }
    }

    private fun differences(a: List<Slice>, b: List<Slice>): List<List<Double>> {
        val others = b.associate { it.round to it.log }
        return a.groupBy { it.block }.values.map { block ->
            block.mapNotNull { slice -> others[slice.round]?.let { slice.log - it } }
        }
    }

    private class Slice(val run: String, val round: String, val block: Int, val stack: String, val log: Double)
}

private operator fun <T> List<T>.component6(): T = this[5]
