package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.Lines
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.rendering.WidthRange
import com.github.ajalt.mordant.terminal.Terminal
import com.github.ajalt.mordant.widgets.Text
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.NOTHING
import threadgauge.report.format.number
import threadgauge.report.format.sureness
import threadgauge.report.format.valueText

/**
 * A line for each stack, with the most important figures. [mark] follows the name of a stack. Columns are as wide as
 * their texts, and in a narrow terminal they stand closer together and names are wrapped.
 */
internal class SituationTable(judged: SituationJudgement, private val mark: (CellJudgement) -> String) : Widget {
    private val cells = judged.cells
    private val columns = listOf(
        Column(cells, "answers/s") { cell -> cell.throughput?.text() },
        // The heading has the number of values.
        Column(cells, rangeHeading()) { cell -> cell.throughput?.sureness()?.substringBefore(" (n of") },
        Column(cells, "p50 ms") { cell -> cell.p50Millis?.text() },
        Column(cells, "p99 ms") { cell -> cell.p99Millis?.text() },
        Column(cells, "CPU µs") { cell -> cell.cpuMicrosPerRequest?.text() },
        Column(cells, "RAM MB") { cell -> cell.rssMegabytes?.text() },
        Column(cells, "threads") { cell -> cell.threads?.text() },
    )

    private fun rangeHeading(): String {
        val figures = cells.mapNotNull { it.throughput }
        val most = figures.maxOfOrNull { it.values.size } ?: 0
        return if (figures.any { it.low != null }) "95% interval" else if (most > 1) "range of $most" else "values"
    }

    override fun measure(t: Terminal, width: Int): WidthRange = fitting(width).measure(t, width)

    override fun render(t: Terminal, width: Int): Lines = fitting(width).render(t, width)

    private fun fitting(width: Int): Widget {
        val longest = maxOf(STACK.length, cells.maxOfOrNull { name(it).length } ?: 0)
        val figures = columns.sumOf { it.width }
        val gap = if (longest + figures + columns.size * WIDE_GAP <= width) WIDE_GAP else NARROW_GAP
        val names = minOf(longest, maxOf(SHORTEST_NAME, width - figures - columns.size * gap))
        return Text(lines(names, " ".repeat(gap)).joinToString("\n"), whitespace = Whitespace.PRE)
    }

    private fun lines(names: Int, gap: String): List<String> = buildList {
        add(dim(STACK.padEnd(names) + columns.joinToString("") { gap + it.heading.padStart(it.width) }))
        cells.forEach { cell ->
            val parts = wrapped(name(cell), names)
            add(parts.first().padEnd(names) + if (cell.throughput == null) "$gap$NOT_MEASURED" else figures(cell, gap))
            addAll(parts.drop(1))
        }
    }

    private fun figures(cell: CellJudgement, gap: String): String =
        columns.withIndex().joinToString("") { (index, column) ->
            val text = (column.text(cell) ?: NOTHING).padStart(column.width)
            gap + if (index == 0) bold(text) else text
        }

    private fun name(cell: CellJudgement) = cell.stack + if (cell.throughput == null) "" else mark(cell)
}

private class Column(cells: List<CellJudgement>, val heading: String, val text: (CellJudgement) -> String?) {
    val width = maxOf(heading.length, cells.maxOfOrNull { text(it)?.length ?: 0 } ?: 0)
}

/** A number that is too long for a column is shown in thousands: "1,234k". */
private fun Figure.text(): String =
    valueText().takeIf { it.length <= LONGEST_NUMBER } ?: (number(value / 1e3, decimals = 0) + "k")

/** A [name] that is too long is wrapped after a hyphen or a plus, and cut where it has none. */
private fun wrapped(name: String, width: Int): List<String> {
    if (name.length <= width) return listOf(name)
    val end = name.take(width).indexOfLast { it in "-+" } + 1
    return if (end == 0) listOf(name.take(width)) else listOf(name.take(end)) + wrapped(name.drop(end), width)
}

private const val STACK = "stack"
private const val NOT_MEASURED = "not measured"

/** Most throughputs and latencies fit. */
private const val LONGEST_NUMBER = 7

/** Shorter columns would cut names that have no hyphen. */
private const val SHORTEST_NAME = 12
private const val WIDE_GAP = 2
private const val NARROW_GAP = 1
