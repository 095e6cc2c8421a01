package threadgauge.model.plan

import kotlinx.serialization.Serializable

/** What a run that plans itself is to reach; it ends with what comes first. At least one is given. */
@Serializable
data class Goal(
    /**
     * Every comparison has an outcome, or an interval of at most this half-width, as a share: 0.03 is ± 3 %. Null where
     * the time alone decides.
     */
    val within: Double? = null,
    /** Time for the run, in nanoseconds. Null without a limit but that of blocks. */
    val budgetNanos: Long? = null,
) {
    /**
     * The longest warm-up that each of so many [stacks] may have, in nanoseconds: with four blocks, half of each may go
     * into warming up. Null without a limit of time.
     */
    fun maxWarmUpNanos(stacks: Int): Long? = budgetNanos?.let { it / WARM_UP_PARTS / stacks }

    companion object {
        private const val WARM_UP_PARTS = 8

        /** Blocks that such a run has at most. What is not told by then needs another machine. */
        const val MAX_BLOCKS = 40
    }
}

/** Why a run that plans itself ended. */
@Serializable
enum class GoalEnd {
    /** Every comparison is told, or within the half-width. */
    REACHED,

    /** Another block would not have fitted into the time. */
    OUT_OF_TIME,

    /** The largest number of blocks was measured. */
    ALL_BLOCKS,
}
