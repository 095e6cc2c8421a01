package threadgauge.model.judgement

import kotlinx.serialization.Serializable

/**
 * How precise ratios of two stacks can be on a machine: how much two equal servers seemed to differ, and the
 * half-widths that follow for runs of some minutes.
 */
@Serializable
data class Precision(
    /** With cores that sleep while idle; null where too few rounds had them. */
    val asleep: RoundNoise?,
    /** With cores that are kept awake, as in a run; null where the system does not allow it. */
    val awake: RoundNoise?,
    /** Null where either of the two is unknown. */
    val effect: AwakeEffect?,
    /**
     * Standard deviation between blocks of fresh processes that [runs] assume, as a share: 0.02 is 2 %. It is typical
     * and was not measured on this machine.
     */
    val assumedBetweenBlocks: Double,
    /** Ascending by stacks, then by minutes. */
    val runs: List<PredictedPrecision>,
) {
    /** Of a run, which keeps cores awake where it can. */
    val ofRuns: RoundNoise get() = checkNotNull(awake ?: asleep) { "no rounds" }
}

/** Standard deviation of the ratio of two equal servers between [rounds] rounds, as a share: 0.09 is 9 %. */
@Serializable
data class RoundNoise(val deviation: Double, val rounds: Int)

/** What awake cores change, each as a multiple of the figure with sleeping cores and with a 95 % interval. */
@Serializable
data class AwakeEffect(
    /** Of [RoundNoise.deviation]: 0.67 takes a third off. */
    val noise: RatioWithInterval,
    /** Of the throughput of the two servers. Null for fewer than three pairs of rounds. */
    val throughput: RatioWithInterval?,
)

/** A ratio and the interval around it. */
@Serializable
data class RatioWithInterval(val ratio: Double, val low: Double, val high: Double) {
    /** The interval does not contain 1. */
    val isClear: Boolean get() = low > 1 || high < 1
}

/** What a run that fills so many [minutes] should reach with so many [stacks] in one situation. */
@Serializable
data class PredictedPrecision(
    val stacks: Int,
    val minutes: Int,
    /** Blocks of fresh processes that fit into the time, and the rounds of all of them together. */
    val blocks: Int,
    val rounds: Int,
    /** Expected half-width of each ratio, as a share: 0.03 is ± 3 %. Null where too few blocks fit for an interval. */
    val halfWidth: Double?,
)
