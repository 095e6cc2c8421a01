package threadgauge.report.format

import threadgauge.model.doubt.CauseId
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.DoubtCause
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.report.html.stateNotice
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen

/**
 * A doubt with its number in this report, its cause, and the stacks that it is about by the names of their situations;
 * none where it is about the whole run.
 */
internal class NumberedDoubt(
    val number: Int,
    val doubt: Doubt,
    val cause: DoubtCause,
    val stacks: Map<String, List<String>>,
)

/** All doubts, each once, because the same doubt is often about several stacks and situations; by their causes. */
internal class NumberedDoubts(judgement: Judgement) {
    private val found = judgement.doubts.map { Found(it) } + judgement.situations.flatMap { judged ->
        judged.cells.flatMap { cell -> cell.doubts.map { Found(it, judged.situation.name, cell.stack) } }
    }

    val all: List<NumberedDoubt> = found.groupBy { it.doubt.asRead }.values
        .map { same -> same to judgement.causes.indexOfFirst { it.isOf(same.first().doubt) } }
        .sortedBy { (_, cause) -> cause }
        .mapIndexed { index, (same, cause) ->
            val stacks = same.filter { it.stack != null }.groupBy({ it.situation!! }, { it.stack!! })
            NumberedDoubt(index + 1, same.first().doubt, judgement.causes[cause], stacks)
        }

    private val byReading = all.associateBy { it.doubt.asRead }

    /** Those about one cell, in the order of their numbers. */
    fun of(cell: CellJudgement): List<NumberedDoubt> =
        cell.doubts.map { byReading.getValue(it.asRead) }.distinct().sortedBy { it.number }

    private class Found(val doubt: Doubt, val situation: String? = null, val stack: String? = null)

    /** A doubt as readers see it: equal if no digit shown differs. */
    private val Doubt.asRead get() = Triple(id, seen to remedy, validity)

    private fun DoubtCause.isOf(doubt: Doubt) = kinds.any { it.worst::class == doubt.facts::class }
}

/** Where the report has the doubts of this cause. */
internal val DoubtCause.anchor: String get() = "doubts-" + id.name.lowercase().replace('_', '-')

internal val NumberedDoubt.anchor: String get() = "doubt-$number"

/** What makes the results less certain, without what the first screen says anyway. */
internal val ReportContext.openCauses: List<DoubtCause>
    get() = judgement.causes.filter { cause ->
        val isSaid = when (cause.id) {
            CauseId.UNFINISHED_RUN -> stateNotice(record) != null
            CauseId.MISSING_FIGURES -> troubles.isNotEmpty()
            CauseId.FEW_TRIALS -> judgement.indicative
            else -> false
        }
        cause.validity != Validity.VALID && !isSaid
    }

/** Ceilings of settings that were reached, each with the stacks that reached it. */
internal fun reachedSettings(judged: SituationJudgement): Map<Ceiling, List<String>> =
    judged.cells.flatMap { cell -> cell.ceilings.filter { it.reached && it.bySetting }.map { it to cell.stack } }
        .groupBy({ it.first }, { it.second })
