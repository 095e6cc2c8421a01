package threadgauge.judge

import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Validity
import threadgauge.stats.LogDistribution
import threadgauge.stats.Timed

/** A cell with what comparisons are made from: the spread of each of its figures. */
internal class JudgedCell(
    val cell: CellJudgement,
    /** Answers as many requests as arrive; always false in a load that has no rate of its own. */
    val keepsUp: Boolean,
    /**
     * Numbers of the trials that were measured. Those of the same number were measured in one block, in all cells of a
     * run.
     */
    private val blocks: List<Int>,
    private val spreads: Map<Compared, LogDistribution?>,
    /** The figures that the core's speed makes, trial by trial with that speed. */
    private val timed: Map<Compared, Timed?>,
) {
    /** Neither a doubt nor a failure keeps it out of the verdict. */
    val isFit: Boolean get() = cell.validity != Validity.INVALID && cell.throughput != null

    fun spread(of: Compared): LogDistribution? = spreads[of]

    fun timed(of: Compared): Timed? = timed[of]

    /** The figures of all its trials stand beside those of the [other] in the same blocks. */
    fun isInBlocksWith(other: JudgedCell, of: Compared): Boolean =
        blocks == other.blocks && spread(of)?.trials == blocks.size && other.spread(of)?.trials == blocks.size
}

/** The figure of a cell that is meant; null where it was not measured. */
internal fun CellJudgement.figure(of: Compared): Figure? = when (of) {
    Compared.THROUGHPUT -> throughput
    Compared.P50 -> p50Millis
    Compared.P99 -> p99Millis
    Compared.CPU -> cpuMicrosPerRequest
    Compared.MEMORY -> rssMegabytes
    Compared.ALLOCATED -> allocatedKilobytesPerRequest
}
