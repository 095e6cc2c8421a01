package threadgauge.report.map

import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.verticalLayout
import com.github.ajalt.mordant.widgets.Text
import threadgauge.model.Record
import threadgauge.model.judgement.map.Fit
import threadgauge.model.judgement.map.MapJudgement
import threadgauge.report.format.number
import threadgauge.report.format.sentence
import threadgauge.report.format.unbroken
import threadgauge.report.html.stateNotice
import threadgauge.report.terminal.blank
import threadgauge.report.terminal.hanging
import threadgauge.report.terminal.paragraph
import threadgauge.wording.failure.reason
import threadgauge.wording.map.doubtWords
import threadgauge.wording.map.findings
import threadgauge.wording.map.fitWords
import threadgauge.wording.map.methodWords
import threadgauge.wording.map.words

/**
 * The report of a map for a terminal: what was found, then up to how many users each stack fits, by work. It fits 80
 * columns and does not rely on colour. [reportFile] is printed as given.
 */
fun mapReport(record: Record, judgement: MapJudgement, reportFile: String? = null): Widget = verticalLayout {
    spacing = 0
    paragraph(bold(record.plan.experiment.question))
    stateNotice(record)?.let { (title, words) -> paragraph(yellow(bold(title)) + " " + words) }
    judgement.findings().forEach { paragraph(bold(unbroken(it))) }
    blank()
    paragraph(dim(judgement.question.fitWords()))
    paragraph(dim(judgement.methodWords()))
    judgement.doubtWords().forEach { hanging(yellow("!"), it, 1) }
    record.trials.forEach { trial ->
        trial.reason()?.let { hanging(yellow("!"), "${trial.stack}: ${sentence(it)}", 1) }
    }
    if (judgement.places.isNotEmpty()) {
        blank()
        cell(reaches(judgement))
        paragraph(dim("⚙ a setting decides it, not the model. An interval: the border is between the two."))
        blank()
        judgement.stacks.forEach { stack -> stack.law?.let { paragraph(bold(stack.title) + dim(": " + it.words())) } }
    }
    reportFile?.let {
        blank()
        cell(Text("Report, with the picture: $it", Whitespace.PRE))
    }
}

/** Columns as wide as their texts, which a table of the library is not always: its widths are rounded shares. */
private fun reaches(judgement: MapJudgement): Widget {
    val columns = spread(judgement.places.map { it.work }.distinct().sorted(), MAX_COLUMNS)
    val head = listOf("users, by ${judgement.question.sheet.unit}") + columns.map { number(it) }
    val rows = judgement.stacks.map { (name) -> listOf(name) + columns.map { judgement.reach(name, it) } }
    val widths = head.indices.map { index -> (rows + listOf(head)).maxOf { it[index].length } }
    val lines = (listOf(head) + rows).map { row ->
        row.mapIndexed { index, text -> if (index == 0) text.padEnd(widths[0]) else text.padStart(widths[index]) }
            .joinToString(GAP)
    }
    val rule = "─".repeat(lines.first().length)
    return Text((listOf(dim(lines.first()), rule) + lines.drop(1)).joinToString("\n"), Whitespace.PRE)
}

/** The first, the last and others evenly between them. */
internal fun spread(all: List<Int>, most: Int): List<Int> =
    if (all.size <= most) all else (0..<most).map { all[it * (all.size - 1) / (most - 1)] }.distinct()

/** The users with whom [stack] fits requests of [work]: "all", "none", "≤200–252". */
internal fun MapJudgement.reach(stack: String, work: Int): String {
    val fits = places.filter { it.work == work }.flatMap { it.stacks }.filter { it.stack == stack }.map { it.fit }
    val its = borders.filter { it.stack == stack && it.work == work }
    return when {
        fits.isEmpty() -> "–"
        its.isNotEmpty() -> its.joinToString(", ") { border ->
            // Without commas and spaces, for the width of a terminal.
            val between = "${border.fromUsers}–${border.toUsers}"
            (if (border.fitsBelow) "≤$between" else "≥$between") + if (border.bySetting) " ⚙" else ""
        }
        fits.all { it == Fit.YES } -> "all"
        fits.all { it == Fit.NO } -> "none"
        fits.all { it == Fit.OPEN } -> "?"
        fits.any { it == Fit.YES } -> "all (?)"
        else -> "none (?)"
    }
}

private const val MAX_COLUMNS = 4
private const val GAP = "  "
