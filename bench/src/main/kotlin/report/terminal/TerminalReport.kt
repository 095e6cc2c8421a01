package threadgauge.report.terminal

import com.github.ajalt.mordant.rendering.OverflowWrap
import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextColors.yellow
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.TextStyles.dim
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.rendering.Widget
import com.github.ajalt.mordant.table.ColumnWidth
import com.github.ajalt.mordant.table.VerticalLayoutBuilder
import com.github.ajalt.mordant.table.horizontalLayout
import com.github.ajalt.mordant.table.verticalLayout
import com.github.ajalt.mordant.widgets.Text
import threadgauge.model.Record
import threadgauge.model.doubt.Doubt
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.NumberedDoubts
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.reachedSettings
import threadgauge.report.format.sentence
import threadgauge.report.html.section.asked
import threadgauge.report.html.section.ledgerSummaries
import threadgauge.report.html.section.notableAnswers
import threadgauge.report.html.section.words
import threadgauge.report.html.stateNotice
import threadgauge.report.html.surenessLines
import threadgauge.report.html.trialNumbers
import threadgauge.report.html.validityWord
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.failure.reason
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictWords
import threadgauge.wording.verdict.words
import threadgauge.wording.words

/**
 * The report of a run for a terminal: the answer, then each situation, then the path of the full report. It fits 80
 * columns and does not rely on colour, so that it can be read in a log. Print it with `terminal.println`.
 *
 * [reportFile] is printed as given; null where no file was written.
 */
fun terminalReport(record: Record, judgement: Judgement, reportFile: String? = null): Widget {
    val subject = ReportContext(record, judgement)
    val notes = NumberedDoubts(judgement)
    return verticalLayout {
        spacing = 0
        paragraph(bold(judgement.question))
        services(record).forEach { paragraph(dim(it)) }
        blank()
        stateNotice(record)?.let { (title, words) -> paragraph(yellow(bold(title)) + " " + words) }
        claims(judgement)
        judgement.answer.forEach { paragraph(it) }
        judgement.ranges.forEach { paragraph(it.words) }
        blank()
        surenessLines(judgement, record, "shown below the tables").forEach { (style, line) ->
            val words = line.replace(NARROW_SPACE, "")
            paragraph(if (style == "warn") yellow("! $words") else dim(words))
        }
        judgement.situations.forEach { situation(subject, it, notes) }
        doubts(notes)
        troubles(subject)
        reportFile?.let {
            blank()
            paragraph("Report: $it")
        }
    }
}

/** What the names of the user's services stand for, where the name alone does not show it. */
private fun services(record: Record): List<String> =
    record.plan.stacks.filter { !it.keepsContract && NOT_IN_NAME.replace(it.title.lowercase(), "-") != it.name }
        .map { if (it.title.startsWith(it.name)) it.title else "${it.name}: ${it.title}" }

private fun VerticalLayoutBuilder.situation(subject: ReportContext, judged: SituationJudgement, notes: NumberedDoubts) {
    blank()
    paragraph(bold(judged.situation.name) + dim(": ${asked(judged.situation)}"))
    paragraph(judged.verdictWords())
    blank()
    cell(situationTable(judged, notes))
    reachedSettings(judged).forEach { (ceiling, stacks) -> hanging("^", "${stacks.joinToString()}: ${words(ceiling)}") }
    val (kept, broken) = subject.ledgerSummaries(judged).partition { it.isKept }
    broken.forEach { hanging("!", it.words()) }
    if (kept.isNotEmpty()) hanging("=", kept.words())
    subject.notableAnswers(judged).forEach { hanging("=", it.words(judged.situation.request)) }
}

/** All doubts by their numbers in the tables. Doubts with the same remedy share it. */
private fun VerticalLayoutBuilder.doubts(notes: NumberedDoubts) {
    if (notes.doubts.isEmpty()) return
    blank()
    paragraph(bold("Doubts") + dim(", by their numbers in the tables"))
    notes.doubts.forEachIndexed { index, note ->
        hanging("[${note.number}]", "${note.stacks.joinToString()}: ${words(note.doubt)}")
        if (notes.doubts.getOrNull(index + 1)?.doubt?.remedy != note.doubt.remedy) hanging("", note.doubt.remedy)
    }
}

private fun words(ceiling: Ceiling) =
    "Decided by the setting: ${ceiling.words} = ${number(ceiling.requestsPerSecond)}/s."

private fun words(doubt: Doubt) = "${validityWord(doubt.validity)}: ${doubt.seen}"

private fun VerticalLayoutBuilder.troubles(subject: ReportContext) {
    subject.judgement.doubts.forEachIndexed { index, doubt ->
        if (index == 0) blank()
        hanging("!", words(doubt))
        hanging("", doubt.remedy)
    }
    subject.troubles.forEachIndexed { index, trials ->
        if (index == 0) blank()
        val first = trials.first()
        hanging(
            "!", "${first.stack}, ${trialNumbers(trials)}: ${sentence(first.reason() ?: first.state.name.lowercase())}",
        )
        first.contractViolations.forEach { hanging("", "Breaks the contract: $it") }
        trials.map { it.log }.filter { it.isNotEmpty() }
            .let { if (it.isNotEmpty()) hanging("", "Log: ${it.joinToString()}") }
    }
}

internal fun VerticalLayoutBuilder.paragraph(words: String) {
    cell(wrapping(words))
}

internal fun VerticalLayoutBuilder.blank() {
    cell(Text(""))
}

/** A sign in a column of [signWidth], and the text with a hanging indent. */
internal fun VerticalLayoutBuilder.hanging(sign: String, words: String, signWidth: Int = SIGN_WIDTH) {
    cell(
        horizontalLayout {
            spacing = 1
            column(0) { width = ColumnWidth.Fixed(signWidth) }
            column(1) { width = ColumnWidth.Expand() }
            cell(Text(sign, align = TextAlign.LEFT))
            cell(wrapping(words))
        },
    )
}

internal fun wrapping(words: String, whitespace: Whitespace = Whitespace.NORMAL) =
    Text(words, whitespace = whitespace, align = TextAlign.LEFT, overflowWrap = OverflowWrap.BREAK_WORD)

private val NOT_IN_NAME = Regex("[^a-z0-9]+")
private const val SIGN_WIDTH = 4
