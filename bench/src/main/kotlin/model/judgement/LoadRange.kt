package threadgauge.model.judgement

import kotlinx.serialization.Serializable

/** One request under increasing loads: over which loads a verdict holds, and where it changes. */
@Serializable
data class LoadRange(
    val method: String,
    val path: String,
    /** In ascending order of load. */
    val steps: List<LoadStep>,
    /** Indices of the steps whose verdict certainly differs from that of the previous step. */
    val turns: List<Int>,
)

/** One load of a [LoadRange]. [leaders] are the best stacks; empty for *cannot tell*. */
@Serializable
data class LoadStep(
    val situation: String,
    val unit: LoadUnit,
    /** In [unit]. */
    val amount: Double,
    val outcome: StepOutcome,
    val leaders: List<String>,
) {
    /** The other step has the same verdict, whatever its load. */
    fun saysTheSameAs(other: LoadStep): Boolean =
        outcome == other.outcome && (!outcome.namesLeaders || leaders.toSet() == other.leaders.toSet())
}

/** Unit of a load. */
@Serializable
enum class LoadUnit { USERS, REQUESTS_AT_ONCE, REQUESTS_PER_SECOND }

/** Outcome under one load. */
@Serializable
enum class StepOutcome(
    /** It has leaders. */
    val namesLeaders: Boolean = false,
    /** It is a definite verdict. */
    val isConclusive: Boolean = false,
) {
    HIGHEST_THROUGHPUT(namesLeaders = true, isConclusive = true),
    LOWEST_LATENCY(namesLeaders = true, isConclusive = true),
    NO_DIFFERENCE(isConclusive = true),
    SETTING_DECIDES(isConclusive = true),
    CANNOT_TELL,
    TOO_FEW_TRIALS,
}
