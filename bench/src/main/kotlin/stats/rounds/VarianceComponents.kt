package threadgauge.stats.rounds

import kotlin.math.sqrt

/**
 * How much the logarithm of a paired ratio varies, as standard deviations: 0.02 is 2 %.
 *
 * A block's mean of n rounds varies by √([betweenBlocks]² + [betweenRounds]² ÷ n).
 */
data class VarianceComponents(
    /** Of the rounds of one block about its own mean. At least 0. */
    val betweenRounds: Double,
    /** Of the means that blocks would have after endless rounds. Processes differ, so it is seldom 0. */
    val betweenBlocks: Double,
) {
    init {
        require(betweenRounds >= 0 && betweenBlocks >= 0) { "$betweenRounds and $betweenBlocks" }
    }

    /** Variance of the mean of one block after [rounds] rounds. */
    fun varianceOfBlock(rounds: Int): Double =
        betweenBlocks * betweenBlocks + betweenRounds * betweenRounds / rounds

    companion object {
        /**
         * [betweenBlocks] of two stacks that is assumed where it was not measured. The median of the six pairs of the
         * tour's stacks is 2.1 % in `answers-at-once` and 0.8 % in `block-the-thread`; three pairs of equal or nearly
         * equal servers have 0 to 0.3 %. By [varianceComponents] from `benchmarks/resolution/records/`
         * `2026-11-26-rounds.csv`, on two cores of a shared virtual machine. The tour had two blocks, so its figures
         * are rough.
         */
        const val TYPICAL_BETWEEN_BLOCKS = 0.02
    }
}

/**
 * Estimates both components from the differences of logarithms of the rounds of each block, by the method of moments
 * for groups of unequal size (the ANOVA estimator; Searle, Casella and McCulloch, *Variance Components*, 1992, section
 * 3.6). An estimate of [VarianceComponents.betweenBlocks] below zero becomes zero, which also happens where it is small
 * and blocks are few: with three blocks it is only a rough guess.
 *
 * Rounds that correlate with their neighbours within a block count as a difference between blocks. That is where they
 * belong: more rounds do not average it away as they should.
 *
 * Null for fewer than two blocks, and where no block has two rounds, because then the two cannot be told apart.
 */
fun varianceComponents(blocks: List<List<Double>>): VarianceComponents? {
    require(blocks.none { it.isEmpty() }) { "a block has no rounds" }
    val rounds = blocks.sumOf { it.size }
    if (blocks.size < 2 || rounds == blocks.size) return null
    val within = squaresWithin(blocks) / (rounds - blocks.size)
    val mean = blocks.sumOf { it.sum() } / rounds
    val between = blocks.sumOf { it.size * (it.average() - mean).let { d -> d * d } } / (blocks.size - 1)
    val typicalSize = (rounds - blocks.sumOf { it.size.toDouble() * it.size } / rounds) / (blocks.size - 1)
    return VarianceComponents(sqrt(within), sqrt(maxOf(0.0, (between - within) / typicalSize)))
}

/** Sum of the squares of the distances of the rounds from the mean of their block. */
internal fun squaresWithin(blocks: List<List<Double>>): Double =
    blocks.sumOf { block -> block.average().let { mean -> block.sumOf { (it - mean) * (it - mean) } } }
