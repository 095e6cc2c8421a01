package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.ColumnWidth
import com.github.ajalt.mordant.table.TableBuilder
import com.github.ajalt.mordant.widgets.Padding

/** No borders, columns of [widths] characters with two between them, and those of [numbers] aligned to the right. */
internal fun TableBuilder.fixedColumns(widths: List<Int>, numbers: IntRange) {
    tableBorders = Borders.NONE
    cellBorders = Borders.NONE
    padding = Padding(0)
    widths.forEachIndexed { index, size ->
        column(index) {
            width = ColumnWidth.Fixed(size)
            if (index in numbers) align = TextAlign.RIGHT
            if (index > 0) padding = Padding(0, 0, 0, 2)
        }
    }
}
