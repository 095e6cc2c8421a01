package threadgauge.model.judgement

import kotlinx.serialization.Serializable

/**
 * The leaders, the stacks behind them, and those limited by a setting, among the stacks with valid figures, by name.
 */
@Serializable
data class Ranking(
    /** The figure that ranks. */
    val by: Compared,
    /** All ranked stacks in descending order of the figure. Never empty. */
    val order: List<String>,
    /** The first of [order], and those that are not certainly worse. */
    val leaders: List<String>,
    /** The leaders are certainly within the margin of each other. */
    val leadersAlike: Boolean,
    /**
     * Those certainly worse than the first, in [order]. [Comparison.stack] is the better side, so that the ratio is
     * above 1.
     */
    val behind: List<Lead>,
    /** Those at a ceiling of a setting, in [order]. */
    val held: List<HeldStack>,
    /**
     * Trials of each stack that are enough to tell the leaders apart; null where no possible number is enough, or none
     * is needed.
     */
    val trialsToTell: Int? = null,
) {
    val top: String get() = order.first()

    /** The leaders without the first. */
    val level: List<String> get() = leaders.drop(1)
}

/** [stack] is behind the first of the ranking by [ratio]: the better ÷ the worse. */
@Serializable
data class Lead(val stack: String, val ratio: Double, val low: Double? = null, val high: Double? = null)

/** [stack] is at [ceiling]. */
@Serializable
data class HeldStack(val stack: String, val ceiling: Ceiling)

/** [stack] failed this [share] of all requests, which is too much for a valid figure. */
@Serializable
data class FailingStack(val stack: String, val share: Double)

/** [stack] needs less than every other one by more than the margin: [value], and the [next] one [nextValue]. */
@Serializable
data class Cheapest(val stack: String, val value: Double, val next: String, val nextValue: Double)
