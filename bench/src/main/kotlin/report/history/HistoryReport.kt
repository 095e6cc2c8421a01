package threadgauge.report.history

import com.github.ajalt.mordant.rendering.TextColors.green
import com.github.ajalt.mordant.rendering.TextColors.red
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.table.verticalLayout
import com.github.ajalt.mordant.widgets.Text
import kotlin.math.ln
import kotlin.math.roundToInt
import kotlinx.serialization.json.JsonElement
import threadgauge.model.judgement.compare.History
import threadgauge.model.judgement.compare.HistoryPoint
import threadgauge.model.judgement.compare.HistorySeries
import threadgauge.report.format.NOTHING
import threadgauge.report.format.number
import threadgauge.report.json.DOCUMENT_FORMAT
import threadgauge.report.json.besides
import threadgauge.report.json.changing
import threadgauge.report.json.with
import threadgauge.report.terminal.blank
import threadgauge.report.terminal.fixedColumns
import threadgauge.report.terminal.hanging
import threadgauge.report.terminal.paragraph
import threadgauge.wording.figureAndUnit
import threadgauge.wording.history.cell
import threadgauge.wording.history.label
import threadgauge.wording.history.times
import threadgauge.wording.history.words

/**
 * The output of `history`: the answer, each figure over its runs, each change in words, then what else changed. It fits
 * 80 columns. [page] is the path of the page with the drawings; null where none was written.
 */
fun historyReport(history: History, page: String? = null): Widget = verticalLayout {
    spacing = 0
    val runs = history.runs
    paragraph(bold("How did ${history.experiment} go over its runs?"))
    blank()
    paragraph(history.words())
    if (runs.isNotEmpty()) paragraph(dim("From ${runs.first().label} to ${runs.last().label}"))
    history.series.groupBy { it.cell }.forEach { (cell, series) ->
        blank()
        paragraph(bold(cell))
        cell(seriesTable(series))
        series.flatMap { its -> its.changes.map { its to it } }.forEach { (its, change) ->
            val sign = if (change.isBetter) green("▲") else red("▼")
            hanging(sign, history.words(its, change), 1)
            change.events.forEach { hanging("", it.words(runs[it.at].label), 1) }
        }
    }
    history.series.flatMap { its -> its.odd.map { its to it } }.forEachIndexed { index, (its, odd) ->
        if (index == 0) blank()
        hanging("!", history.words(its, odd), 1)
    }
    val said = history.series.flatMap { its -> its.changes.flatMap { it.events } }.toSet()
    (history.events - said).forEachIndexed { index, event ->
        if (index == 0) blank()
        hanging("!", event.words(runs[event.at].label), 1)
    }
    history.leftOut.forEachIndexed { index, run ->
        if (index == 0) blank()
        hanging("!", "Left out: ${run.words()}", 1)
    }
    page?.let {
        blank()
        cell(Text("Page: $it", whitespace = Whitespace.PRE))
    }
}

/** The history as JSON, with a newline at its end. Sentences are `words` beside the data. */
fun historyJson(history: History): String {
    val document = DOCUMENT_FORMAT.encodeToJsonElement(History.serializer(), history)
        .with("words" to history.words())
        .changing("series") { all ->
            all.besides(history.series) { its ->
                changing("changes") { changes ->
                    changes.besides(its.changes) { with("words" to history.words(its, it)) }
                }.changing("odd") { odd -> odd.besides(its.odd) { with("words" to history.words(its, it)) } }
            }
        }
        .changing("leftOut") { all -> all.besides(history.leftOut) { with("words" to it.words()) } }
    return DOCUMENT_FORMAT.encodeToString(JsonElement.serializer(), document) + "\n"
}

private fun seriesTable(series: List<HistorySeries>): Widget = table {
    fixedColumns(WIDTHS, numbers = 1..2)
    header { row("", "first", "newest", "", "") }
    body {
        series.forEach { its ->
            val change = its.changes.lastOrNull()
            row(
                "  ${its.of.figureAndUnit}",
                its.points.firstNotNullOfOrNull { it }.text(),
                its.points.last().text(),
                sparkline(its.points.takeLast(MOST_MARKS)),
                when {
                    change == null -> "no change"
                    change.isBetter -> green("▲ " + change.times)
                    else -> red("▼ " + change.times)
                },
            )
        }
    }
}

private fun HistoryPoint?.text() = this?.let { number(it.value) } ?: NOTHING

/** A character for each run, as high as its value on the scale from the least to the most; a dot where none is. */
private fun sparkline(points: List<HistoryPoint?>): String {
    val logs = points.map { point -> point?.value?.takeIf { it > 0 }?.let(::ln) }
    val low = logs.filterNotNull().minOrNull() ?: return ""
    // Noise of a few per cent must not look like mountains.
    val height = maxOf(logs.filterNotNull().max() - low, LEAST_HEIGHT)
    return logs.joinToString("") { log ->
        if (log == null) "·" else MARKS[((log - low) / height * (MARKS.length - 1)).roundToInt()].toString()
    }
}

private const val MARKS = "▁▂▃▄▅▆▇█"
private const val MOST_MARKS = 16

/** 20 %, as a logarithm. */
private const val LEAST_HEIGHT = 0.18

/** The columns add up to 80 characters. */
private val WIDTHS = listOf(23, 11, 11, 18, 17)
