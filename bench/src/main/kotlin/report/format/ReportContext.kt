package threadgauge.report.format

import kotlin.math.abs
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.Trust
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.cause.StackFlames
import threadgauge.model.whyFailed
import threadgauge.report.html.Mark
import threadgauge.report.html.chart.ChartData
import threadgauge.report.html.chart.chartData
import threadgauge.report.html.flame.FlamePage
import threadgauge.report.html.markOf
import threadgauge.report.site.Published

/** The record and judgement of a report, with look-ups for its sections. */
internal class ReportContext(
    val record: Record,
    val judgement: Judgement,
    flames: List<StackFlames> = emptyList(),
    /** Null for a report that is not a page of a site. */
    val published: Published? = null,
) {
    val flames = FlamePage(flames)
    private val marks: Map<String, Mark> =
        record.plan.stacks.mapIndexed { index, stack -> stack.name to markOf(index) }.toMap()
    private val repeatsByStack: Map<String, List<Trial>> = record.trials.groupBy { it.stack }

    /** In the order of the plan, which is also the order of their colours. */
    val stacks: List<String> = record.plan.stacks.map { it.name }

    /** Smallest difference that counts, as a share. */
    val margin: Double get() = record.plan.experiment.margin

    private val titles: Map<String, String> = record.plan.titles

    fun title(stack: String): String = titles[stack] ?: stack

    fun mark(stack: String): Mark = marks[stack] ?: markOf(0)

    fun trials(stack: String): List<Trial> = repeatsByStack[stack].orEmpty()

    /** Trials that ended early. */
    val troubled: List<Trial> = record.trials.filter {
        it.state == TrialState.FAILED || it.state == TrialState.INTERRUPTED || it.contractViolations.isNotEmpty()
    }

    /** [troubled] by stack and cause, because a stack that never starts fails in every trial in the same way. */
    val troubles: List<List<Trial>> =
        troubled.groupBy { Triple(it.stack, it.whyFailed, it.contractViolations) }.values.toList()

    /** All doubts with their numbers. */
    val numbered: NumberedDoubts by lazy { NumberedDoubts(judgement) }

    private val trust = Trust(judgement)

    /** Trust in the figures of [cell]. Doubts that its intervals contain do not count. */
    fun trust(situation: String, cell: CellJudgement): Validity = trust.of(situation, cell)

    /** The data of the charts, for drawings and for their text alternatives. */
    val charts: ChartData by lazy { chartData(this) }

    /** Every sample of a cell with the trial it belongs to, in order. */
    fun samples(stack: String, situation: String): List<Pair<Trial, Sample>> =
        trials(stack).mapNotNull { trial -> trial.samples.find { it.situation == situation }?.let { trial to it } }

    /**
     * The trial whose throughput is nearest to the cell's median. It is drawn first: a mean of several curves would
     * show a curve that was never measured.
     */
    fun typicalTrial(cell: CellJudgement, situation: String): Int? {
        val samples = samples(cell.stack, situation)
        val median = cell.throughput?.value ?: return samples.firstOrNull()?.first?.number
        return samples.minByOrNull { (_, sample) -> abs(sample.perSecond - median) }?.first?.number
    }
}
