package threadgauge.judge.verdict

import threadgauge.judge.compare.between
import threadgauge.judge.compare.ratio
import threadgauge.judge.figure
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome.LESS
import threadgauge.model.judgement.ComparisonOutcome.MORE
import threadgauge.model.judgement.ComparisonOutcome.NO_DIFFERENCE
import threadgauge.model.judgement.HeldStack
import threadgauge.model.judgement.Lead
import threadgauge.model.judgement.Ranking

/** Ranks the comparable [cells], which are not empty, [by] one figure. [comparisons] are those by this figure. */
internal fun rank(cells: List<CellJudgement>, by: Compared, comparisons: List<Comparison>): Ranking {
    val byFigure = cells.sortedBy { cell -> cell.figure(by)!!.value.let { if (by.moreIsBetter) -it else it } }
    val (better, worse) = if (by.moreIsBetter) MORE to LESS else LESS to MORE
    // Ratios within rounds know more than the medians of trials, and may say the opposite of two that are close.
    val first = byFigure.firstOrNull { one -> byFigure.none { comparisons.between(it.stack, one.stack) == better } }
        ?: byFigure.first()
    val order = listOf(first) + (byFigure - first)
    val top = first.stack
    val behind = order.drop(1).map { it.stack }.filter { comparisons.between(it, top) == worse }
    val leaders = order.map { it.stack } - behind.toSet()
    val open = pairs(leaders, comparisons).filterNot { it.outcome == NO_DIFFERENCE }
    return Ranking(
        by = by,
        order = order.map { it.stack },
        leaders = leaders,
        leadersAlike = open.isEmpty(),
        behind = behind.map { lead(top, it, by, comparisons) },
        held = order.mapNotNull { cell -> cell.settingThatHolds?.let { HeldStack(cell.stack, it) } },
        trialsToTell = if (open.any { it.trialsToTell == null }) null else open.maxOfOrNull { it.trialsToTell!! },
    )
}

/** The ceiling of a setting that this cell has reached; null where there is none. */
private val CellJudgement.settingThatHolds get() = ceilings.firstOrNull { it.reached && it.bySetting }

private fun lead(top: String, other: String, by: Compared, comparisons: List<Comparison>): Lead {
    val ratio = if (by.moreIsBetter) comparisons.ratio(top, other) else comparisons.ratio(other, top)
    return checkNotNull(ratio) { "$top and $other were not compared" }.let { Lead(other, it.ratio, it.low, it.high) }
}

private fun pairs(leaders: List<String>, comparisons: List<Comparison>): List<Comparison> =
    leaders.indices.flatMap { i ->
        (i + 1..leaders.lastIndex).mapNotNull { j -> comparisons.ratio(leaders[i], leaders[j]) }
    }
