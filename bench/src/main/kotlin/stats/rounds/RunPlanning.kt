package threadgauge.stats.rounds

import kotlin.math.exp
import kotlin.math.sqrt
import threadgauge.model.plan.NextStep
import threadgauge.stats.MIN_TRIALS
import threadgauge.stats.studentQuantile

/** What a round and a block cost, in seconds, for all stacks and situations together. */
data class RunCost(
    /** One slice of every stack in every situation. */
    val roundSeconds: Double,
    /** Everything of a block but its rounds: start, check, warm-up and stop of all processes. */
    val blockSeconds: Double,
) {
    init {
        require(roundSeconds > 0 && blockSeconds >= 0) { "$roundSeconds s and $blockSeconds s" }
    }

    fun seconds(blocks: Int, rounds: Int): Double = blocks * (blockSeconds + rounds * roundSeconds)
}

/** [blocks] to be measured yet, each of [rounds]. */
data class RunPlan(
    val blocks: Int,
    val rounds: Int,
    val seconds: Double,
    /** Predicted for the widest comparison after these blocks, as a share: 0.03 is ± 3 %. */
    val halfWidth: Double,
)

/**
 * How many blocks of how many rounds are best, from what rounds and blocks vary and cost (Kalibera and Jones,
 * *Rigorous Benchmarking in Reasonable Time*, ISMM 2013, sections 4 and 6).
 *
 * Half-widths are predicted with Student's quantile for the number of blocks, and as if the components were known.
 * Estimates from three blocks are rough, so a run should plan anew after every block. [confidence] is that of the final
 * interval: `SequentialBounds` requires more than 95 % for early looks.
 */
class RunPlanning(
    /** Of all comparisons of the run. */
    private val comparisons: List<VarianceComponents>,
    private val cost: RunCost,
    private val confidence: Double = 0.95,
    /** Rounds of each block that has been measured; they count as far as they go. */
    private val measured: List<Int> = emptyList(),
    /** Rounds that a block may have. */
    private val rounds: IntRange = MIN_ROUNDS..MAX_ROUNDS,
) {
    init {
        require(comparisons.isNotEmpty() && rounds.first >= 1 && !rounds.isEmpty()) { "$comparisons, $rounds" }
    }

    /**
     * The number of rounds in a block that gets the widest comparison narrowest for the time of a long run: the lowest
     * product of a block's variance and its cost. For one comparison that is Kalibera and Jones' optimum,
     * √(cost of a block ÷ cost of a round) × [VarianceComponents.betweenRounds] ÷ [VarianceComponents.betweenBlocks].
     * With few blocks fewer rounds are better, because each block lowers Student's quantile: see [narrowest].
     */
    fun roundsOfBlock(): Int = rounds.minBy { comparisons.maxOf { of -> of.varianceOfBlock(it) } * cost.seconds(1, it) }

    /**
     * Half-width of the widest comparison after [blocks] more blocks of [rounds] rounds, as a share: 0.03 is ± 3 %.
     * Null below [MIN_TRIALS] blocks in all.
     */
    fun halfWidth(blocks: Int, rounds: Int): Double? {
        val all = measured.size + blocks
        if (all < MIN_TRIALS) return null
        val variance = comparisons.maxOf { of ->
            measured.sumOf(of::varianceOfBlock) + if (blocks > 0) blocks * of.varianceOfBlock(rounds) else 0.0
        }
        return exp(studentQuantile(confidence, all - 1.0) * sqrt(variance) / all) - 1
    }

    /** The plan with the narrowest interval that fits into [seconds]; null where no interval does. */
    fun narrowest(seconds: Double): RunPlan? = rounds.mapNotNull { count ->
        plan(minOf(MAX_BLOCKS, (seconds / cost.seconds(1, count) + ROUNDING).toInt()), count)
    }.minByOrNull { it.halfWidth }

    /** The plan that takes least time until the half-width is at most [within]; null where [MAX_BLOCKS] do not do. */
    fun quickest(within: Double): RunPlan? = rounds.mapNotNull { count ->
        (1..MAX_BLOCKS).firstOrNull { blocks -> halfWidth(blocks, count).let { it != null && it <= within } }
            ?.let { plan(it, count) }
    }.minByOrNull { it.seconds }

    /**
     * Rounds of the next block of a run with so many [seconds] left, or without a limit of time where that is null:
     * those that reach the half-width [within] soonest, where it is given and there is time for that. Null where not
     * even a short block fits. A short block for want of which there is no interval may end so many [overrunSeconds]
     * later.
     */
    fun nextRounds(seconds: Double?, within: Double? = null, overrunSeconds: Double = 0.0): Int? {
        val soonest = within?.let(::quickest)
        if (soonest != null && (seconds == null || soonest.seconds <= seconds)) return soonest.rounds
        if (seconds == null) return roundsOfBlock()
        val count = narrowest(seconds)?.rounds ?: MIN_ROUNDS
        if (cost.seconds(1, count) <= seconds) return count
        val limit = if (measured.size < MIN_TRIALS) seconds + overrunSeconds else seconds
        return MIN_ROUNDS.takeIf { cost.seconds(1, it) <= limit }
    }

    private fun plan(blocks: Int, rounds: Int): RunPlan? =
        halfWidth(blocks, rounds)?.let { RunPlan(blocks, rounds, cost.seconds(blocks, rounds), it) }

    companion object {
        /**
         * Fewer rounds do not average out a skewed distribution: with single rounds and bursts that slow one stack more
         * than the other, intervals contain the truth in 91.5 of 100 cases, with five rounds in 94.
         */
        const val MIN_ROUNDS = 5

        /** Minutes at one second a slice: longer than what differs from one minute to the next. */
        const val MAX_ROUNDS = 60

        /** More is not a plan: a smaller half-width than that needs another machine. */
        const val MAX_BLOCKS = 200

        /**
         * The first block of a run of [budgetSeconds], before anything is known: a sixth of the time for its rounds, or
         * [roomSeconds] where that is less, which leaves time for more blocks. At about a second for each of the
         * [slices] of a round with their lead-ins.
         */
        fun firstBlock(
            budgetSeconds: Double,
            slices: Int,
            roomSeconds: Double = Double.POSITIVE_INFINITY,
        ): NextStep.Block {
            val room = maxOf(roomSeconds, (MIN_ROUNDS * slices).toDouble())
            val seconds = minOf(budgetSeconds / FIRST_SHARE, room)
            return NextStep.Block((seconds / slices).toInt().coerceIn(MIN_ROUNDS, MAX_ROUNDS), seconds)
        }

        /**
         * By which share of its whole time a run may exceed it for the last of the [MIN_TRIALS] blocks that an interval
         * needs. Without it, all of the time before was for nothing.
         */
        const val OVERRUN = 0.1

        private const val FIRST_SHARE = 6

        /**
         * Rounds of the first block of a run that ends as soon as it can: enough to know how much they vary, to a
         * quarter (√(1 ÷ 2(n − 1))), and no more than short runs need.
         */
        const val PILOT_ROUNDS = 10

        /** So that six blocks of ten seconds fit into one minute. */
        private const val ROUNDING = 1e-9
    }
}
