package threadgauge.judge

import kotlin.math.ln
import threadgauge.model.Slice
import threadgauge.model.Trial

/** Logarithms of one figure of a cell in its slices, by block and round. */
internal class RoundLogs private constructor(private val blocks: Map<Int, Map<Int, Double>>) {
    /**
     * By block, the differences of the logarithms (this − [other]) in the rounds that both have; without blocks of no
     * such round.
     */
    fun minus(other: RoundLogs): Map<Int, List<Double>> = blocks.mapValues { (block, rounds) ->
        val others = other.blocks[block].orEmpty()
        rounds.mapNotNull { (round, log) -> others[round]?.let { log - it } }
    }.filterValues { it.isNotEmpty() }

    companion object {
        /** Null where the [trials] have no slices in [situation], or one has no such [figure] above zero. */
        fun of(trials: List<Trial>, situation: String, figure: (Slice) -> Double?): RoundLogs? {
            val blocks = trials.associate { trial ->
                trial.number to trial.slices.filter { it.situation == situation }.associate { slice ->
                    slice.round to ln(figure(slice)?.takeIf { it > 0 } ?: return null)
                }
            }.filterValues { it.isNotEmpty() }
            return if (blocks.isEmpty()) null else RoundLogs(blocks)
        }
    }
}
