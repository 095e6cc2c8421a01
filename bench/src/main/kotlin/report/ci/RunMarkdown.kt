package threadgauge.report.ci

import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.gate
import threadgauge.model.notation
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.NOTHING
import threadgauge.report.format.ReportContext
import threadgauge.report.format.count
import threadgauge.report.format.escaped
import threadgauge.report.format.mark
import threadgauge.report.format.number
import threadgauge.report.format.openCauses
import threadgauge.report.format.percent
import threadgauge.report.format.row
import threadgauge.report.format.sentence
import threadgauge.report.format.sureness
import threadgauge.report.format.valueText
import threadgauge.report.html.stateNotice
import threadgauge.report.html.trialNumbers
import threadgauge.wording.cause.becauseLines
import threadgauge.wording.claim.words
import threadgauge.wording.doubt.words
import threadgauge.wording.failure.reason
import threadgauge.wording.goal.measured
import threadgauge.wording.goal.summary
import threadgauge.wording.goal.why
import threadgauge.wording.goal.words
import threadgauge.wording.verdict.headline
import threadgauge.wording.verdict.verdictBelowHeading

/**
 * Runs in GitHub's Markdown, for a pull request or the summary of a job: goals and claims first, then each situation
 * with its verdict and figures, then the doubts, folded.
 */
fun runMarkdown(runs: List<JudgedRun>): String = runs.joinToString("\n") { run ->
    buildString {
        val context = ReportContext(run.record, run.judgement)
        appendLine("### ${run.judgement.gate.mark} ${escaped(run.judgement.question)}")
        paragraph(run.judgement.situations.joinToString("<br>") { escaped(it.headline()) })
        stateNotice(run.record)?.let { (title, words) -> paragraph("**${escaped(title)}** ${escaped(words)}") }
        advice(run.judgement)
        goals(run.judgement)
        claims(run.judgement)
        run.judgement.situations.forEach { situation(context, it) }
        legend(context)
        troubles(context)
        doubts(context)
        paragraph("Report: `${run.report}`")
    }
}

private fun StringBuilder.paragraph(words: String) {
    appendLine()
    appendLine(words)
}

private fun StringBuilder.goals(judgement: Judgement) {
    if (judgement.goals.isEmpty()) return
    paragraph("**Goals:** ${judgement.goals.summary()}")
    paragraph("| situation | stack | goal | measured | |\n|---|---|---|---:|---|")
    judgement.goals.forEach { goal ->
        val verdict = if (goal.verdict == GoalVerdict.BROKEN) "**${goal.verdict.words}**" else goal.verdict.words
        appendLine(
            row(
                listOf(
                    escaped(goal.situation), escaped(goal.stack), escaped(goal.goal.notation()),
                    goal.measured()?.let(::escaped) ?: NOTHING,
                    listOfNotNull(verdict, goal.why()?.let(::escaped)).joinToString(". "),
                ),
            ),
        )
    }
}

private fun StringBuilder.claims(judgement: Judgement) {
    if (judgement.claims.isEmpty()) return
    appendLine()
    judgement.claims.forEach {
        appendLine("- **${it.verdict.words}**: “${escaped(it.claim.says)}” ${escaped(it.words())}")
    }
}

private fun StringBuilder.situation(context: ReportContext, judged: SituationJudgement) {
    val name = judged.situation.name
    paragraph("**${escaped(name)}**: ${escaped(judged.verdictBelowHeading())}")
    paragraph(
        "| stack | answers/s | p50 ms | p99 ms | failed | CPU µs per request | memory MB |\n" +
            "|---|---:|---:|---:|---:|---:|---:|",
    )
    judged.cells.forEach { cell ->
        val mark = if (cell.trials == 0 || context.trust(name, cell) == Validity.VALID) "" else " \\*"
        appendLine(row(listOf(escaped(cell.stack) + mark) + figures(cell)))
    }
    stepsMarkdown(judged).let { if (it.isNotEmpty()) paragraph(it) }
    because(judged)
}

/** Why the stacks are as fast as they are. */
private fun StringBuilder.because(judged: SituationJudgement) {
    val lines = judged.becauseLines()
    if (lines.isNotEmpty()) appendLine()
    lines.forEach { appendLine("- ${escaped(it.stack)}: ${escaped(it.words)}") }
}

private fun StringBuilder.legend(context: ReportContext) {
    val isMarked = context.judgement.situations.any { judged ->
        judged.cells.any { it.trials > 0 && context.trust(judged.situation.name, it) != Validity.VALID }
    }
    if (isMarked) paragraph("\\* doubtful figures")
}

private fun figures(cell: CellJudgement): List<String> = listOf(
    cell.throughput?.let { "${it.valueText()} (${it.sureness()})" } ?: NOTHING,
    cell.p50Millis.text(),
    cell.p99Millis.text(),
    cell.errorShare?.let { if (it.value == 0.0) "0" else percent(it.value) } ?: NOTHING,
    cell.cpuMicrosPerRequest.text(),
    cell.rssMegabytes.text(),
)

private fun Figure?.text() = this?.let { number(it.value) } ?: NOTHING

private fun StringBuilder.troubles(context: ReportContext) {
    if (context.troubles.isNotEmpty()) appendLine()
    context.troubles.forEach { trials ->
        val first = trials.first()
        val why = sentence(first.reason() ?: first.state.name.lowercase())
        appendLine("- ${escaped(first.stack)}, ${trialNumbers(trials)}: ${escaped(why)}")
    }
}

private fun StringBuilder.doubts(context: ReportContext) {
    val causes = context.openCauses
    if (causes.isEmpty()) return
    paragraph("<details><summary>${count(causes.size, "doubt")}, the worst first</summary>")
    appendLine()
    causes.forEach { appendLine("- ${escaped(it.words()).replace(" %", "$NARROW_SPACE%")}") }
    paragraph("</details>")
}
