package threadgauge.report.regression

import com.github.ajalt.mordant.rendering.TextColors.green
import com.github.ajalt.mordant.rendering.TextColors.red
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.table.verticalLayout
import kotlinx.serialization.json.JsonElement
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.report.html.validityWord
import threadgauge.report.json.DOCUMENT_FORMAT
import threadgauge.report.json.besides
import threadgauge.report.json.changing
import threadgauge.report.json.with
import threadgauge.report.json.worded
import threadgauge.report.terminal.blank
import threadgauge.report.terminal.fixedColumns
import threadgauge.report.terminal.hanging
import threadgauge.report.terminal.paragraph
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.regression.basisWords
import threadgauge.wording.regression.question
import threadgauge.wording.regression.sentences
import threadgauge.wording.regression.words

/**
 * The output of `compare`: the answer, then all figures, then the doubts. It fits 80 columns. Print it with
 * `terminal.println`.
 */
fun changeReport(comparison: RecordComparison): Widget = verticalLayout {
    spacing = 0
    paragraph(bold(comparison.question()))
    blank()
    paragraph(
        when (comparison.gate) {
            GateResult.PASSED -> green(comparison.words())
            GateResult.FAILED -> red(comparison.words())
            GateResult.CANNOT_TELL -> yellow(comparison.words())
        },
    )
    paragraph(dim("${comparison.basisWords()} Gated figures are marked *."))
    comparison.changes.groupBy { it.cell }.forEach { (cell, changes) ->
        blank()
        paragraph(bold(cell))
        cell(changeTable(changes))
        val doubts = changes.flatMap { it.doubts }.distinct()
        if (doubts.isNotEmpty()) {
            hanging("!", "${validityWord(changes.maxOf { it.validity })}: ${doubts.joinToString()}")
        }
        comparison.causesOf(changes)?.sentences()?.forEach { hanging("", it) }
    }
    comparison.notCompared.forEachIndexed { index, what ->
        if (index == 0) blank()
        hanging("!", "Not compared: ${what.words()}")
    }
    comparison.doubts.forEachIndexed { index, doubt ->
        if (index == 0) blank()
        hanging("!", "${validityWord(doubt.validity)}: ${doubt.seen}")
        hanging("", doubt.remedy)
    }
}

/** The comparison as JSON, with a newline at its end. Sentences are `words` beside the data. */
fun changeJson(comparison: RecordComparison): String {
    val document = DOCUMENT_FORMAT.encodeToJsonElement(RecordComparison.serializer(), comparison)
        .with("words" to comparison.words())
        .changing("doubts") { it.worded(comparison.doubts) }
        .changing("causes") { all ->
            all.besides(comparison.causes) { with("words" to it.sentences().joinToString(" ")) }
        }
        .changing("notCompared") { all -> all.besides(comparison.notCompared) { with("words" to it.words()) } }
    return DOCUMENT_FORMAT.encodeToString(JsonElement.serializer(), document) + "\n"
}

private fun changeTable(changes: List<Change>): Widget = table {
    fixedColumns(WIDTHS, numbers = 1..3)
    header { row("", "base", "new", "new ÷ base", "") }
    body {
        changes.forEach { change ->
            row(
                (if (change.gated) "* " else "  ") + change.title,
                change.text(change.base),
                change.text(change.new),
                change.ratioText(),
                coloured(change),
            )
        }
    }
}

private fun coloured(change: Change) = when (change.outcome) {
    ChangeOutcome.WORSE -> red("▼ worse")
    ChangeOutcome.BETTER -> green("▲ better")
    ChangeOutcome.SAME -> "= the same"
    ChangeOutcome.NOT_WORSE -> "≥ not worse"
    ChangeOutcome.CANNOT_TELL -> yellow("? cannot tell")
}

/** The columns add up to 80 characters. */
private val WIDTHS = listOf(20, 11, 11, 22, 16)
