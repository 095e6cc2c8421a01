package threadgauge.judge

import kotlin.math.ln
import threadgauge.model.Trial
import threadgauge.model.plan.Slice

/** One value of a cell in each of its slices, by block and round: the logarithm of a figure, or a share as it is. */
internal class RoundValues private constructor(private val blocks: Map<Int, Map<Int, Double>>) {
    /** By block, the differences (this − [other]) in the rounds that both have; without blocks of no such round. */
    fun minus(other: RoundValues): Map<Int, List<Double>> = blocks.mapValues { (block, rounds) ->
        val others = other.blocks[block].orEmpty()
        rounds.mapNotNull { (round, value) -> others[round]?.let { value - it } }
    }.filterValues { it.isNotEmpty() }

    companion object {
        /** Null where the [trials] have no slices in [situation], or one has no such [figure] above zero. */
        fun logsOf(trials: List<Trial>, situation: String, figure: (Slice) -> Double?): RoundValues? =
            of(trials, situation) { slice -> figure(slice)?.takeIf { it > 0 }?.let(::ln) }

        /** Null where the [trials] have no slices in [situation], or one has no such [value]. */
        fun of(trials: List<Trial>, situation: String, value: (Slice) -> Double?): RoundValues? {
            val blocks = trials.associate { trial ->
                trial.number to trial.slices.filter { it.situation == situation }
                    .associate { slice -> slice.round to (value(slice) ?: return null) }
            }.filterValues { it.isNotEmpty() }
            return if (blocks.isEmpty()) null else RoundValues(blocks)
        }
    }
}
