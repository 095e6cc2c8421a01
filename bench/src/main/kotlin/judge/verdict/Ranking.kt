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
import threadgauge.wording.listed
import threadgauge.wording.percent
import threadgauge.wording.ranked

/** Who leads, who is behind, and who is held by a setting, [by] one figure, among the [cells] that are fit to be compared. */
internal class Ranking(cells: List<CellJudgement>, val by: Compared, private val comparisons: List<Comparison>) {
    private val worse = if (by.moreIsBetter) LESS else MORE

    /** The best first, by the figure alone. */
    val fit: List<CellJudgement> = cells.sortedBy { cell -> cell.figure(by)!!.value.let { if (by.moreIsBetter) -it else it } }
    val top = fit.first()

    /** Surely worse than [top]. */
    val behind = fit.drop(1).filter { comparisons.between(it.stack, top.stack) == worse }

    /** Not surely worse than [top]. */
    val level = fit.drop(1) - behind.toSet()
    val leaders = listOf(top) + level

    /** At a ceiling that a setting makes. */
    val held = fit.filter { it.settingThatHolds != null }

    /** The leaders are surely within the margin of each other. */
    val leadersAlike = pairsOfLeaders().all { it.outcome == NO_DIFFERENCE }

    /** Nobody is behind by their own speed: those behind, or all leaders, stand at a ceiling. */
    val isDecidedBySetting =
        by == Compared.THROUGHPUT && held.isNotEmpty() && (behind.isEmpty() || behind.any { it in held } || leaders.all { it in held })

    /** Trials of each stack after which the leaders could be told apart; null where no possible number would do. */
    val trialsToTell: Int?
        get() {
            val open = pairsOfLeaders().filterNot { it.outcome == NO_DIFFERENCE }.map { it.trialsToTell }
            return if (null in open) null else open.maxOfOrNull { it!! }
        }

    /** The better ÷ the worse, so that it says by how many times [top] is ahead. */
    fun lead(cell: CellJudgement): Comparison =
        checkNotNull(if (by.moreIsBetter) comparisons.ratio(top.stack, cell.stack) else comparisons.ratio(cell.stack, top.stack))

    private fun pairsOfLeaders() = leaders.indices.flatMap { i ->
        (i + 1..leaders.lastIndex).mapNotNull { j -> comparisons.ratio(leaders[i].stack, leaders[j].stack) }
    }
}

/** The ceiling of a setting at which this cell stands; null where it stands at none. */
internal val CellJudgement.settingThatHolds get() = ceilings.firstOrNull { it.reached && it.bySetting }

internal fun names(cells: List<CellJudgement>) = listed(cells.map { it.stack })

internal fun verb(cells: List<CellJudgement>, one: String, many: String) = if (cells.size == 1) one else many

/** "b failed 67 %, a 44 % of the requests", of those of [cells] that failed too many for their figures to count; null where none did. */
internal fun failuresOf(cells: List<CellJudgement>): String? {
    fun share(cell: CellJudgement) = percent(cell.errorShare!!.value)
    val failing = cells.filter { it.isFailing }.sortedByDescending { it.errorShare!!.value }
    val worst = failing.firstOrNull() ?: return null
    return ranked(failing, ::share) { "${it.stack}${if (it === worst) " failed" else ""} ${share(it)}" } + " of the requests"
}
