package threadgauge.report

import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.ColumnWidth
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.widgets.Padding
import threadgauge.model.CellJudgement
import threadgauge.model.Figure
import threadgauge.model.SituationJudgement
import threadgauge.model.Validity

/** Stacks against the few measures that decide most choices. Numbers in brackets are those of the doubts in [notes]. */
internal fun situationTable(judged: SituationJudgement, notes: Notes): Widget = table {
    tableBorders = Borders.NONE
    cellBorders = Borders.NONE
    padding = Padding(0)
    column(0) { width = ColumnWidth.Fixed(STACK_WIDTH) }
    COLUMNS.forEachIndexed { index, it ->
        column(index + 1) {
            width = ColumnWidth.Fixed(it.width)
            align = TextAlign.RIGHT
            padding = Padding(0, 0, 0, 2)
        }
    }
    header {
        cellBorders = Borders.BOTTOM
        row {
            cell(dim("stack"))
            COLUMNS.forEach { cell(dim(it.heading)) }
        }
    }
    body {
        judged.cells.forEach { cell ->
            row {
                cell(wrapping(name(cell, notes)))
                if (cell.throughput == null) {
                    cell("not measured") { columnSpan = COLUMNS.size; align = TextAlign.LEFT }
                } else {
                    COLUMNS.forEach { cell(it.text(cell)) }
                }
            }
        }
    }
}

/** [width] includes the gap of two before it. All widths add up to 80. */
private class Column(val heading: String, val width: Int, val text: (CellJudgement) -> String)

private val COLUMNS = listOf(
    Column("answered/s", 17) { cell -> cell.throughput?.let { bold(it.valueText()) + "\n" + dim(it.sureness()) } ?: NOTHING },
    Column("p50\nms", 8) { plain(it.p50Millis) },
    Column("p99\nms", 8) { plain(it.p99Millis) },
    Column("CPU\nµs", 7) { plain(it.cpuMicrosPerRequest) },
    Column("memory\nMB", 8) { plain(it.rssMegabytes) },
    Column("threads", 9) { plain(it.threads) },
)

private fun plain(figure: Figure?) = figure?.valueText() ?: NOTHING

private fun name(cell: CellJudgement, notes: Notes): String {
    val numbers = notes.numbersOf(cell).joinToString("") { "[$it]" }
    val validity = if (cell.validity == Validity.INVALID) " invalid" else ""
    return listOf(cell.stack + validity, numbers).filter { it.isNotEmpty() }.joinToString(" ")
}

/** The longest name of a stack that is shipped has 24 letters and is broken; most fit. */
private const val STACK_WIDTH = 23
