package threadgauge.report.format

import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen

/** A doubt with its number in this report and its stacks. */
internal class NumberedDoubt(val number: Int, val doubt: Doubt, val stacks: List<String>)

/**
 * The doubts of all situations, each once, because the same doubt is often about several stacks and situations. Doubts
 * of one kind are adjacent, because their remedy is the same.
 */
internal class NumberedDoubts(judgement: Judgement) {
    val doubts: List<NumberedDoubt> = judgement.situations.flatMap { it.cells }
        .flatMap { cell -> cell.doubts.map { it to cell.stack } }
        .groupBy { (doubt, _) -> doubt.asRead }.values
        .groupBy { same -> same.first().first.let { it.id to it.remedy } }.values.flatten()
        .mapIndexed { index, same ->
            NumberedDoubt(index + 1, same.first().first, same.map { (_, stack) -> stack }.distinct())
        }

    private val byReading = doubts.associateBy { it.doubt.asRead }

    /** Numbers of the doubts about one cell, ascending. */
    fun numbersOf(cell: CellJudgement): List<Int> =
        cell.doubts.map { byReading.getValue(it.asRead).number }.distinct().sorted()

    /** A doubt as readers see it: equal if no digit shown differs. */
    private val Doubt.asRead get() = Triple(id, seen to remedy, validity)
}

/** Ceilings of settings that were reached, each with the stacks that reached it. */
internal fun reachedSettings(judged: SituationJudgement): Map<Ceiling, List<String>> =
    judged.cells.flatMap { cell -> cell.ceilings.filter { it.reached && it.bySetting }.map { it to cell.stack } }
        .groupBy({ it.first }, { it.second })
