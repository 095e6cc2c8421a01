package threadgauge.model.judgement

import kotlinx.serialization.Serializable

/** One request under rising loads: over which of them a verdict holds, and where it turns. */
@Serializable
data class LoadRange(
    val method: String,
    val path: String,
    /** By rising load. */
    val steps: List<LoadStep>,
    /** Indices of the steps at which the verdict surely differs from that of the step before. */
    val turns: List<Int>,
)

/** One load of a [LoadRange]. [leaders] are those that no other surely beats; empty where nothing could be told. */
@Serializable
data class LoadStep(
    val situation: String,
    val unit: LoadUnit,
    /** In [unit]. */
    val amount: Double,
    val outcome: StepOutcome,
    val leaders: List<String>,
) {
    /** The other step says the same of the stacks, whatever its load. */
    fun saysTheSameAs(other: LoadStep): Boolean =
        outcome == other.outcome && (!outcome.namesLeaders || leaders.toSet() == other.leaders.toSet())
}

/** How a load counts. */
@Serializable
enum class LoadUnit { USERS, REQUESTS_AT_ONCE, REQUESTS_PER_SECOND }

/** What a verdict says under one load. */
@Serializable
enum class StepOutcome(
    /** It names stacks that lead. */
    val namesLeaders: Boolean = false,
    /** Something could be told. */
    val isTold: Boolean = false,
) {
    HIGHEST_THROUGHPUT(namesLeaders = true, isTold = true),
    LOWEST_LATENCY(namesLeaders = true, isTold = true),
    NO_DIFFERENCE(isTold = true),
    SETTING_DECIDES(isTold = true),
    CANNOT_TELL,
    TOO_FEW_TRIALS,
}
