package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.table.verticalLayout
import com.github.ajalt.mordant.widgets.Padding
import threadgauge.model.Latency
import threadgauge.model.LoadResult
import threadgauge.report.format.NOTHING
import threadgauge.report.format.millis
import threadgauge.report.format.number
import threadgauge.report.format.seconds
import threadgauge.report.json.DOCUMENT_FORMAT
import threadgauge.wording.counted

/**
 * The result of a load for a terminal. There is no verdict, because nothing was compared and the target was not
 * observed. It fits 80 columns and does not rely on colour. [files] are named at the end.
 */
fun loadReport(result: LoadResult, files: List<String>): Widget = verticalLayout {
    spacing = 0
    paragraph(bold("${result.request}, ${result.load}"))
    if (result.slices > 1) paragraph(dim("merged from ${result.slices} slices"))
    blank()
    hanging(
        "",
        "${number(result.perSecond)} correct answers per second, in ${seconds((result.windowMillis * 1e6).toLong())}",
        1,
    )
    blank()
    cell(latencyTable(result))
    blank()
    val counts = result.counts
    hanging("", "Of ${counted(counts.scheduled, "request")} ${counts.answered.wereOf()} answered correctly.", 1)
    if (counts.unsent > 0) trouble("${counts.unsent.wereOf()} due and never sent: all connections were busy.")
    if (counts.unfinished > 0) trouble("${counts.unfinished.wereOf()} not answered before the time-out.")
    if (counts.repeated > 0) trouble("${counts.repeated.wereOf()} sent twice: the server had not processed them.")
    counts.failures.entries.sortedByDescending { it.value }
        .forEach { (outcome, times) -> trouble("${number(times)} × ${outcome.words}") }
    if (result.counted.isNotEmpty()) {
        blank()
        result.counted.entries.sortedByDescending { it.value }
            .forEach { (value, times) -> hanging("", "${number(times)} × $value", 1) }
    }
    blank()
    files.forEach { paragraph(dim(it)) }
}

/** The same as one JSON document with a newline at its end. */
fun loadReportJson(result: LoadResult): String = DOCUMENT_FORMAT.encodeToString(LoadResult.serializer(), result) + "\n"

/** "1 was", "7 were". */
private fun Long.wereOf() = number(this) + if (this == 1L) " was" else " were"

private fun VerticalLayoutBuilder.trouble(words: String) = hanging(yellow("!"), words, 1)

private fun latencyTable(result: LoadResult) = table {
    cellBorders = Borders.NONE
    padding = Padding(0, 3, 0, 0)
    column(0) { align = TextAlign.LEFT }
    for (index in 1..6) column(index) { align = TextAlign.RIGHT }
    header { row("", "mean", "p50", "p90", "p99", "p99.9", "longest") }
    body {
        row("  latency", *cells(result.latency))
        row(dim("  service time"), *cells(result.serviceTime))
        row(dim("  send delay"), *cells(result.sendDelay))
    }
}

private fun cells(times: Latency): Array<String> = listOf(
    times.meanMicros, times.p50Micros, times.p90Micros, times.p99Micros, times.p999Micros, times.maxMicros,
).map { if (it == null || times.count == 0L) NOTHING else millis(it / 1e3) }.toTypedArray()
