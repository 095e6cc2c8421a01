package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.Lines
import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.rendering.WidthRange
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.ColumnWidth
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.terminal.Terminal
import com.github.ajalt.mordant.widgets.Padding
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
        Column(cells, if (cells.any { it.throughput?.low != null }) "95% interval" else "range") {
            it.throughput?.sureness()
        },
        Column(cells, "p50 ms") { cell -> cell.p50Millis?.text() },
        Column(cells, "p99 ms") { cell -> cell.p99Millis?.text() },
        Column(cells, "CPU µs") { cell -> cell.cpuMicrosPerRequest?.text() },
        Column(cells, "RAM MB") { cell -> cell.rssMegabytes?.text() },
        Column(cells, "threads") { cell -> cell.threads?.text() },
    )

    override fun measure(t: Terminal, width: Int): WidthRange = fitting(width).measure(t, width)

    override fun render(t: Terminal, width: Int): Lines = fitting(width).render(t, width)

    private fun fitting(width: Int): Widget {
        val longest = maxOf("stack".length, cells.maxOfOrNull { name(it).length } ?: 0)
        val figures = columns.sumOf { it.width }
        val gap = if (longest + figures + columns.size * WIDE_GAP <= width) WIDE_GAP else NARROW_GAP
        return layout(minOf(longest, maxOf(SHORTEST_NAME, width - figures - columns.size * gap)), gap)
    }

    private fun name(cell: CellJudgement) = cell.stack + if (cell.throughput == null) "" else mark(cell)

    private fun layout(nameWidth: Int, gap: Int): Widget = table {
        tableBorders = Borders.NONE
        cellBorders = Borders.NONE
        padding = Padding(0)
        column(0) { width = ColumnWidth.Fixed(nameWidth) }
        columns.forEachIndexed { index, it ->
            column(index + 1) {
                width = ColumnWidth.Fixed(it.width + gap)
                align = TextAlign.RIGHT
                padding = Padding(0, 0, 0, gap)
            }
        }
        header {
            row {
                cell(dim("stack"))
                columns.forEach { cell(dim(it.heading)) }
            }
        }
        body {
            cells.forEach { cell ->
                row {
                    cell(wrapping(inLines(name(cell), nameWidth), Whitespace.PRE_LINE))
                    if (cell.throughput == null) {
                        cell("not measured") {
                            columnSpan = columns.size
                            align = TextAlign.LEFT
                            padding = Padding(0, 0, 0, gap)
                        }
                    } else {
                        columns.forEachIndexed { index, column ->
                            val text = column.text(cell) ?: NOTHING
                            cell(if (index == 0) bold(text) else text)
                        }
                    }
                }
            }
        }
    }
}

private class Column(cells: List<CellJudgement>, val heading: String, val text: (CellJudgement) -> String?) {
    val width = maxOf(heading.length, cells.maxOfOrNull { text(it)?.length ?: 0 } ?: 0)
}

/** A number that is too long for a column is shown in thousands: "1,234k". */
private fun Figure.text(): String =
    valueText().takeIf { it.length <= LONGEST_NUMBER } ?: (number(value / 1e3, decimals = 0) + "k")

/** A [name] that is too long for its column is wrapped after a hyphen or a plus, where it has one. */
private fun inLines(name: String, width: Int): String {
    if (name.length <= width) return name
    val end = name.take(width).indexOfLast { it in "-+" } + 1
    return if (end == 0) name else name.take(end) + "\n" + inLines(name.drop(end), width)
}

/** Most throughputs and latencies fit. */
private const val LONGEST_NUMBER = 7

/** Shorter columns would cut names that have no hyphen. */
private const val SHORTEST_NAME = 12
private const val WIDE_GAP = 2
private const val NARROW_GAP = 1
