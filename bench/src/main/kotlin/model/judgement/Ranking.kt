package threadgauge.model.judgement

import kotlinx.serialization.Serializable

/**
 * Who leads, who is behind, and who is held by a setting, among the stacks whose figures are valid. Stacks are named.
 */
@Serializable
data class Ranking(
    /** The figure that ranks. */
    val by: Compared,
    /** All ranked stacks, the best first by the figure alone. Never empty. */
    val order: List<String>,
    /** The first of [order], and those that are not surely worse. */
    val leaders: List<String>,
    /** The leaders are surely within the margin of each other. */
    val leadersAlike: Boolean,
    /**
     * Those surely worse than the first, in [order]. [Comparison.stack] is the better side, so that the ratio is above
     * 1.
     */
    val behind: List<Lead>,
    /** Those that stand at a ceiling which a setting makes, in [order]. */
    val held: List<HeldStack>,
    /**
     * Trials of each stack after which the leaders could be told apart; null where no possible number would do, or none
     * is needed.
     */
    val trialsToTell: Int? = null,
) {
    val top: String get() = order.first()

    /** The leaders besides the first. */
    val level: List<String> get() = leaders.drop(1)
}

/** [stack] is behind the first of the ranking by [ratio]: the better ÷ the worse. */
@Serializable
data class Lead(val stack: String, val ratio: Double, val low: Double? = null, val high: Double? = null)

/** [stack] stands at [ceiling]. */
@Serializable
data class HeldStack(val stack: String, val ceiling: Ceiling)

/** [stack] failed too many requests, as this [share] of all, for its figures to count. */
@Serializable
data class FailingStack(val stack: String, val share: Double)

/** [stack] surely needs less than every other one: [value], where the [next] one needs [nextValue]. */
@Serializable
data class Cheapest(val stack: String, val value: Double, val next: String, val nextValue: Double)
