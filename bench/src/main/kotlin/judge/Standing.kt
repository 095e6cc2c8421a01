package threadgauge.judge

import threadgauge.model.CellJudgement
import threadgauge.model.Comparison
import threadgauge.model.ComparisonOutcome.LESS
import threadgauge.model.ComparisonOutcome.NO_DIFFERENCE

/** Who leads, who is behind, and who is held by a setting, among the cells that are [fit] to be compared, the most throughput first. */
internal class Standing(val fit: List<CellJudgement>, private val byThroughput: List<Comparison>) {
    val top = fit.first()

    /** Surely less than [top]. */
    val behind = fit.drop(1).filter { byThroughput.between(it.stack, top.stack) == LESS }

    /** Not surely less than [top]. */
    val level = fit.drop(1) - behind.toSet()
    val leaders = listOf(top) + level

    /** At a ceiling that a setting makes. */
    val held = fit.filter { cell -> cell.ceilings.any { it.reached } }

    /** The leaders are surely within the margin of each other. */
    val leadersAlike = leaders.indices.all { i ->
        (i + 1..leaders.lastIndex).all { j -> byThroughput.between(leaders[i].stack, leaders[j].stack) == NO_DIFFERENCE }
    }

    /** Nobody is behind by their own speed: those behind, or all leaders, stand at a ceiling. */
    val isDecidedBySetting = held.isNotEmpty() && (behind.isEmpty() || behind.any { it in held } || leaders.all { it in held })

    fun ratioToTop(cell: CellJudgement): Comparison = checkNotNull(byThroughput.ratio(top.stack, cell.stack))
}

internal fun names(cells: List<CellJudgement>) = cells.map { it.stack }.let {
    if (it.size < 2) it.joinToString() else it.dropLast(1).joinToString(", ") + " and " + it.last()
}

internal fun verb(cells: List<CellJudgement>, one: String, many: String) = if (cells.size == 1) one else many
