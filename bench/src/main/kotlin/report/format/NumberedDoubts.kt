package threadgauge.report.format

import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Doubt
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement

/** A doubt with its number in this report, and the stacks that it is about. */
internal class NumberedDoubt(val number: Int, val doubt: Doubt, val stacks: List<String>)

/**
 * The doubts of all situations, each said once: in the report of a run the same doubt is often about several stacks and about every
 * situation. Those of one kind follow one another, because the remedy is the same.
 */
internal class NumberedDoubts(judgement: Judgement) {
    val doubts: List<NumberedDoubt> = judgement.situations.flatMap { it.cells }
        .flatMap { cell -> cell.doubts.map { it to cell.stack } }
        .groupBy({ it.first }, { it.second }).entries
        .groupBy { (doubt, _) -> doubt.name to doubt.remedy }.values.flatten()
        .mapIndexed { index, (doubt, stacks) -> NumberedDoubt(index + 1, doubt, stacks.distinct()) }

    /** Numbers of the doubts about one cell. */
    fun numbersOf(cell: CellJudgement): List<Int> = doubts.filter { it.doubt in cell.doubts && cell.stack in it.stacks }.map { it.number }
}

/** Ceilings of settings that were reached, each with the stacks that reached it. */
internal fun reachedSettings(judged: SituationJudgement): Map<Ceiling, List<String>> =
    judged.cells.flatMap { cell -> cell.ceilings.filter { it.reached && it.bySetting }.map { it to cell.stack } }
        .groupBy({ it.first }, { it.second })
