package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.ColumnWidth
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.widgets.Padding
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.report.format.NOTHING
import threadgauge.report.format.NumberedDoubts
import threadgauge.report.format.number
import threadgauge.report.format.sureness
import threadgauge.report.format.valueText

/** A row for each stack, with the most important measures. Numbers in brackets are those of the doubts in [notes]. */
internal fun situationTable(judged: SituationJudgement, notes: NumberedDoubts): Widget = table {
    tableBorders = Borders.NONE
    cellBorders = Borders.NONE
    padding = Padding(0)
    column(0) { width = ColumnWidth.Fixed(STACK_WIDTH) }
    COLUMNS.forEachIndexed { index, it ->
        column(index + 1) {
            width = ColumnWidth.Fixed(it.width)
            align = TextAlign.RIGHT
            padding = Padding(0, 0, 0, GAP)
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
                cell(wrapping(name(cell, notes), Whitespace.PRE_LINE))
                if (cell.throughput == null) {
                    cell("not measured") { columnSpan = COLUMNS.size; align = TextAlign.LEFT }
                } else {
                    COLUMNS.forEach { cell(it.text(cell)) }
                }
            }
        }
    }
}

/** [width] includes the gap before it. All widths add up to 80. */
private class Column(val heading: String, val width: Int, val text: (CellJudgement) -> String)

private fun plain(heading: String, width: Int, figure: (CellJudgement) -> Figure?) =
    Column(heading, width) { figure(it)?.text(width) ?: NOTHING }

private val COLUMNS = listOf(
    Column("answered/s", 17) { cell ->
        cell.throughput?.let { bold(it.valueText()) + "\n" + dim(it.sureness()) } ?: NOTHING
    },
    plain("p50\nms", 8) { it.p50Millis },
    plain("p99\nms", 8) { it.p99Millis },
    plain("CPU\nµs", 7) { it.cpuMicrosPerRequest },
    plain("memory\nMB", 8) { it.rssMegabytes },
    plain("threads", 9) { it.threads },
)

/**
 * Columns truncate, and a truncated number is a wrong number. So a number that does not fit is shown in thousands:
 * "22k".
 */
private fun Figure.text(width: Int): String =
    valueText().takeIf { it.length <= width - GAP } ?: (number(value / 1e3, decimals = 0) + "k")

private fun name(cell: CellJudgement, notes: NumberedDoubts): String {
    val numbers = notes.numbersOf(cell).joinToString("") { "[$it]" }
    val validity = if (cell.validity == Validity.INVALID) " invalid" else ""
    return listOf(inLines(cell.stack) + validity, numbers).filter { it.isNotEmpty() }.joinToString(" ")
}

/** A [name] that is too long for its column is wrapped after a hyphen or a plus, where it has one. */
private fun inLines(name: String): String {
    if (name.length <= LINE_OF_NAME) return name
    val end = name.take(LINE_OF_NAME).indexOfLast { it in "-+" } + 1
    return if (end == 0) name else name.take(end) + "\n" + inLines(name.drop(end))
}

/** Most names of shipped stacks fit. The longest has 24 letters and is wrapped. */
private const val STACK_WIDTH = 23

/** Minimum of [STACK_WIDTH], for terminals below 80 columns. */
private const val LINE_OF_NAME = 20

/** Between two columns. */
private const val GAP = 2
