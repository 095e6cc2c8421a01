package threadgauge.judge

import threadgauge.judge.scenario.figure
import threadgauge.judge.scenario.stepSpread
import threadgauge.model.Sample
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Validity
import threadgauge.model.request.StepName
import threadgauge.stats.LogDistribution
import threadgauge.stats.Timed

/** A cell with the distribution of each of its figures, for comparisons. */
internal class JudgedCell(
    val cell: CellJudgement,
    /** The cell answers the requests at the rate at which they arrive. Always false for a closed load. */
    val keepsUp: Boolean,
    /** Numbers of the measured trials. Trials of the same number are of the same block, in all cells of a run. */
    private val blocks: List<Int>,
    private val spreads: Map<Compared, LogDistribution?>,
    /** Figures that depend on the core's speed, by trial and with that speed. */
    private val timed: Map<Compared, Timed?>,
    /** Figures of slices, where the cell was measured in rounds. */
    private val rounds: Map<Compared, RoundValues?>,
    /** Logarithm of the share of its cores that others left to it in the slices; null where not all have it. */
    val left: RoundValues?,
    private val samples: List<Sample>,
) {
    /** No doubt and no failure excludes it from the verdict. */
    val isFit: Boolean get() = cell.validity != Validity.INVALID && cell.throughput != null

    fun spread(of: Compared): LogDistribution? = spreads[of]

    /** Of the whole cell, or of a [step]; null where it was not measured. */
    fun figure(of: Compared, step: StepName?): Figure? =
        if (step == null) cell.figure(of) else cell.scenarios.figure(step, of)

    /** The distribution of the same. */
    fun spread(of: Compared, step: StepName?): LogDistribution? =
        if (step == null) spread(of) else stepSpread(samples, step, of)

    fun timed(of: Compared): Timed? = timed[of]

    fun rounds(of: Compared): RoundValues? = rounds[of]

    /** All its trials are in the same blocks as those of the [other]. */
    fun isInBlocksWith(other: JudgedCell, of: Compared): Boolean =
        blocks == other.blocks && spread(of)?.trials == blocks.size && other.spread(of)?.trials == blocks.size
}

/** The figure of a cell by which it is compared; null where it was not measured. */
internal fun CellJudgement.figure(of: Compared): Figure? = when (of) {
    Compared.THROUGHPUT -> throughput
    Compared.P50 -> p50Millis
    Compared.P99 -> p99Millis
    Compared.CPU -> cpuMicrosPerRequest
    Compared.MEMORY -> rssMegabytes
    Compared.ALLOCATED -> allocatedKilobytesPerRequest
}
