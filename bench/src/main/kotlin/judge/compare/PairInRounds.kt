package threadgauge.judge.compare

import kotlin.math.exp
import threadgauge.judge.JudgedCell
import threadgauge.model.judgement.Adjustment
import threadgauge.model.judgement.BlockRatios
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.RoundsSeen
import threadgauge.stats.rounds.PairedRatio
import threadgauge.stats.rounds.RoundCovariate
import threadgauge.stats.rounds.pairedRatio
import threadgauge.stats.rounds.varianceComponents

/**
 * Two cells that were measured in the same rounds, by one figure. The rounds are adjusted for what others took of the
 * machine where that explains part of it (decision 0040).
 */
internal class PairInRounds private constructor(
    /** Differences of the logarithms in the rounds of each block, as measured. */
    private val measured: Map<Int, List<Double>>,
    private val covariate: RoundCovariate?,
) {
    private val rounds: List<List<Double>> = covariate?.adjusted ?: measured.values.toList()
    val blocks: Int get() = measured.size

    /** By its own blocks; null where they are too few. */
    val paired: PairedRatio? = pairedRatio(rounds)
    val meanLog: Double get() = rounds.map { it.average() }.average()

    fun seen(): RoundsSeen {
        val components = varianceComponents(rounds)
        val ratios = measured.keys.zip(rounds) { block, logs ->
            BlockRatios(block, exp(logs.average()), logs.map(::exp))
        }
        val adjusted = covariate?.let {
            Adjustment(it.slope, it.explained, varianceComponents(measured.values.toList())?.betweenRounds)
        }
        return RoundsSeen(ratios, components?.betweenRounds, components?.betweenBlocks, adjusted)
    }

    companion object {
        /** Null where they have no round in common. */
        fun of(top: JudgedCell, bottom: JudgedCell, of: Compared): PairInRounds? {
            val measured = bottom.rounds(of)?.let { top.rounds(of)?.minus(it) }.orEmpty().ifEmpty { return null }
            val left = bottom.left?.let { top.left?.minus(it) }?.filterKeys { it in measured }
            val covariate = left?.let { RoundCovariate.of(measured.values.toList(), it.values.toList()) }
            return PairInRounds(measured, covariate?.takeIf { isCause(it.slope, of) })
        }

        /**
         * Who is left more of its cores has more throughput, and lower latencies. The other way round the throughput is
         * the cause, for example where the kernel counts the interrupts of its answers apart. CPU time is not waited
         * for.
         */
        private fun isCause(slope: Double, of: Compared) = when (of) {
            Compared.THROUGHPUT -> slope > 0
            Compared.P50 -> slope < 0
            else -> false
        }
    }
}
