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
import threadgauge.model.judgement.Ceiling
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.model.judgement.ranking
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.ReportContext
import threadgauge.report.format.number
import threadgauge.report.format.openCauses
import threadgauge.report.format.reachedSettings
import threadgauge.report.format.sentence
import threadgauge.report.html.section.arrival
import threadgauge.report.html.section.asked
import threadgauge.report.html.section.ledgerSummaries
import threadgauge.report.html.section.notableAnswers
import threadgauge.report.html.section.streams
import threadgauge.report.html.section.words
import threadgauge.report.html.stateNotice
import threadgauge.report.html.surenessLines
import threadgauge.report.html.trialNumbers
import threadgauge.wording.doubt.words
import threadgauge.wording.failure.reason
import threadgauge.wording.listed
import threadgauge.wording.scenario.passesWords
import threadgauge.wording.verdict.answer
import threadgauge.wording.verdict.verdictBelowHeading
import threadgauge.wording.verdict.words
import threadgauge.wording.words

/**
 * The report of a run for a terminal: each situation with its verdict and figures, then what makes them doubtful, then
 * the path of the full report. The tour fits a screen of 60 lines. It fits 80 columns and does not rely on colour, so
 * that it can be read in a log. Print it with `terminal.println`.
 *
 * [reportFile] is printed as given; null where no file was written.
 */
fun terminalReport(record: Record, judgement: Judgement, reportFile: String? = null): Widget {
    val subject = ReportContext(record, judgement)
    return verticalLayout {
        spacing = 0
        paragraph(bold(judgement.question))
        services(record).forEach { paragraph(dim(it)) }
        stateNotice(record)?.let { (title, words) -> paragraph(yellow(bold(title)) + " " + words) }
        surenessLines(judgement, record, isLong = false).forEach { (style, line) ->
            val words = line.replace(NARROW_SPACE, "")
            paragraph(if (style == "warn") yellow("! $words") else dim(words))
        }
        advice(record.plan, judgement)
        if (judgement.claims.isNotEmpty() || judgement.goals.isNotEmpty()) blank()
        claims(judgement)
        goals(judgement)
        overview(judgement)
        judgement.situations.forEach { situation(subject, it) }
        doubts(subject)
        troubles(subject)
        reportFile?.let {
            // Not wrapped: a path in two lines of a log cannot be followed or copied.
            cell(Text("Report: $it", whitespace = Whitespace.PRE))
        }
    }
}

/** The answers in short, where the verdicts do not fit one screen, and how the verdict depends on the load. */
private fun VerticalLayoutBuilder.overview(judgement: Judgement) {
    val answers = if (judgement.situations.size > ON_ONE_SCREEN) judgement.answer else emptyList()
    val words = answers + judgement.ranges.map { it.words }
    if (words.isEmpty()) return
    blank()
    words.forEach { paragraph(it) }
}

/** What the names of the user's services stand for, where the name alone does not show it. */
private fun services(record: Record): List<String> =
    record.plan.stacks.filter { !it.keepsContract && NOT_IN_NAME.replace(it.title.lowercase(), "-") != it.name }
        .map { if (it.title.startsWith(it.name)) it.title else "${it.name}: ${it.title}" }

private fun VerticalLayoutBuilder.situation(subject: ReportContext, judged: SituationJudgement) {
    blank()
    val situation = judged.situation
    // Where something speaks of the situation by its name, it must be known.
    val isNamed = subject.judgement.claims.isNotEmpty() || subject.judgement.goals.isNotEmpty()
    // The words of `try` have the request and its load already.
    val details = listOfNotNull(
        situation.name.takeIf { isNamed }, asked(situation).takeIf { arrival(situation) !in situation.words },
    )
    val heading = bold("Requests that ${situation.words}")
    paragraph(if (details.isEmpty()) heading else heading + dim(" (${details.joinToString(": ")})"))
    paragraph(judged.verdictBelowHeading())
    because(judged, isAlone = subject.judgement.situations.size == 1)
    cell(SituationTable(judged) { MARKS.getValue(subject.trust(situation.name, it)) })
    scenarios(judged)
    unsaidSettings(judged).forEach { (ceiling, stacks) ->
        paragraph(
            "A setting limits the throughput of ${listed(stacks)}: " +
                "${ceiling.words} = ${number(ceiling.requestsPerSecond)}/s.",
        )
    }
    val (kept, broken) = subject.ledgerSummaries(judged).partition { it.isKept }
    broken.forEach { hanging("!", it.words()) }
    if (kept.isNotEmpty()) hanging("=", kept.words())
    subject.notableAnswers(judged).forEach { hanging("=", it.words(judged.situation.request)) }
    subject.streams(judged).forEach { hanging("=", it.words()) }
}

/** Each step of each scenario, by stack. */
private fun VerticalLayoutBuilder.scenarios(judged: SituationJudgement) {
    judged.cells.flatMap { cell -> cell.scenarios.map { cell.stack to it } }.groupBy { it.second.name }
        .forEach { (name, its) ->
            blank()
            stepLines(name, its).forEachIndexed { at, line ->
                cell(wrapping(if (at == 0) bold(line) else line, Whitespace.PRE_WRAP))
            }
            its.forEach { (stack, scenario) -> paragraph("$stack: ${scenario.passesWords()}") }
        }
}

/** Ceilings that were reached, where the verdict does not name one of the stack's. */
private fun unsaidSettings(judged: SituationJudgement): Map<Ceiling, List<String>> {
    val said = when (val verdict = judged.verdict) {
        is Verdict.DecidedBySetting, is Verdict.BesideBaselines, is Verdict.Indicative ->
            verdict.ranking?.held.orEmpty()
        is Verdict.Fits, is Verdict.NoDifference, is Verdict.CannotTell, is Verdict.Alone -> emptyList()
    }.map { it.stack }
    return reachedSettings(judged).mapValues { (_, stacks) -> stacks - said.toSet() }.filterValues { it.isNotEmpty() }
}

/** The worst causes of doubts. The report has all of them, with every doubt. */
private fun VerticalLayoutBuilder.doubts(subject: ReportContext) {
    val causes = subject.openCauses
    if (causes.isEmpty()) return
    val marks = subject.judgement.situations.flatMap { judged ->
        judged.cells.filter { it.throughput != null }.map { subject.trust(judged.situation.name, it) }
    }
    val legend = LEGEND.filterKeys { it in marks }.values
    blank()
    paragraph(bold("Doubts") + dim((listOf(", worst first") + legend).joinToString("; ")))
    causes.take(MAX_CAUSES).forEach { hanging("-", it.words(), 1) }
    val more = causes.size - MAX_CAUSES
    if (more > 0) hanging("", "… and $more more in the report.", 1)
}

private fun VerticalLayoutBuilder.troubles(subject: ReportContext) {
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

/** More verdicts with their tables do not fit a screen. */
private const val ON_ONE_SCREEN = 3
private const val MAX_CAUSES = 4

/** What follows the name of a stack in a table. */
private val MARKS = mapOf(Validity.VALID to "", Validity.SUSPECT to "*", Validity.INVALID to "!")
private val LEGEND = mapOf(
    Validity.SUSPECT to "* marks doubtful figures", Validity.INVALID to "! marks figures that are in no verdict",
)
