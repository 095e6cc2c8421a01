package threadgauge.model.judgement

import kotlinx.serialization.Serializable

/** How the ratio of two stacks came about, where they were measured in rounds. */
@Serializable
data class RoundsSeen(
    val blocks: List<BlockRatios>,
    /**
     * Standard deviation of the ratio between the rounds of one block, as a share: 0.05 is 5 %. Null where no block has
     * two rounds, and for a single block.
     */
    val betweenRounds: Double? = null,
    /** The same between blocks, without what rounds contribute: how much fresh processes differ. */
    val betweenBlocks: Double? = null,
    /** Null where the rounds are as measured. */
    val adjusted: Adjustment? = null,
    /** What the interval takes from other comparisons of its situation; null where it rests on these blocks alone. */
    val usual: Usual? = null,
)

/** How much the comparisons of a situation usually vary, which an interval of few blocks takes into account. */
@Serializable
data class Usual(
    /** Standard deviation of the ratio between blocks, rounds included, as a share: 0.05 is 5 %. */
    val betweenBlocks: Double,
    /** It counts as if it came from so many blocks more; at least 0. */
    val blocks: Double,
)

/**
 * The rounds are adjusted to what they would be if other programs and the host had taken as much of the machine from
 * both stacks.
 */
@Serializable
data class Adjustment(
    /**
     * Change of the logarithm of the ratio with that of the ratio of the shares of their cores that were left to the
     * stacks: 1 where each loses as much as others take, 0 where that does not matter.
     */
    val slope: Double,
    /** Share of the variance between rounds, 0 to 1, that this explains. */
    val explained: Double,
    /** [RoundsSeen.betweenRounds] as measured. */
    val betweenRoundsMeasured: Double?,
)

/** The ratios of one block, numbered from 1: of each of its [rounds], and [ratio] as their geometric mean. */
@Serializable
data class BlockRatios(val block: Int, val ratio: Double, val rounds: List<Double>)
