package threadgauge.model.judgement

/** How far the figures of each cell of [judgement] can be trusted. Doubts that their intervals contain do not count. */
class Trust(judgement: Judgement) {
    private val doubtful = judgement.causes.flatMap { it.cells }.groupBy { it.situation to it.stack }
        .mapValues { (_, cells) -> cells.maxOf { it.validity } }

    /** Of [cell] in [situation]. */
    fun of(situation: String, cell: CellJudgement): Validity =
        if (cell.validity == Validity.INVALID) Validity.INVALID else doubtful[situation to cell.stack] ?: Validity.VALID
}
