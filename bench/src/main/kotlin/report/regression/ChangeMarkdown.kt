package threadgauge.report.regression

import threadgauge.model.judgement.CauseChange
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.report.format.NARROW_SPACE
import threadgauge.report.format.count
import threadgauge.report.format.escaped
import threadgauge.report.format.mark
import threadgauge.report.format.row
import threadgauge.report.html.validityWord
import threadgauge.wording.doubt.remedy
import threadgauge.wording.doubt.seen
import threadgauge.wording.regression.basisWords
import threadgauge.wording.regression.sentences
import threadgauge.wording.regression.words
import threadgauge.wording.words

/**
 * A comparison in GitHub's Markdown, for a pull request: the answer first, gated figures in a table, the others folded.
 */
fun changeMarkdown(comparison: RecordComparison): String = buildString {
    appendLine("### ${comparison.gate.mark} ${escaped(comparison.words())}")
    appendLine()
    val basis = comparison.basisWords().replace(" %", "$NARROW_SPACE%")
    val sides = listOf(comparison.base, comparison.new).joinToString(" → ") { escaped(it.joinToString()) }
    appendLine("$sides: ${escaped(basis)}")
    appendLine()
    val (gated, others) = comparison.changes.partition { it.gated }
    table(gated)
    if (others.isNotEmpty()) {
        appendLine()
        appendLine("<details><summary>${count(others.size, "further figure")}</summary>")
        appendLine()
        table(others)
        appendLine()
        appendLine("</details>")
    }
    causes(comparison.causes)
    if (comparison.doubts.isNotEmpty() || comparison.notCompared.isNotEmpty()) appendLine()
    comparison.notCompared.forEach { appendLine("- Not compared: ${escaped(it.words())}") }
    comparison.doubts.forEach {
        appendLine("- ${validityWord(it.validity)}: ${escaped(it.seen)}. ${escaped(it.remedy)}")
    }
}

private fun StringBuilder.causes(causes: List<CauseChange>) {
    if (causes.isEmpty()) return
    appendLine()
    appendLine("**Causes**, each from one profile of both sides:")
    appendLine()
    causes.forEach { cause ->
        appendLine("- ${escaped("${cause.stack}, ${cause.situation}")}")
        cause.sentences().forEach { appendLine("  - ${escaped(it)}") }
    }
}

private fun StringBuilder.table(changes: List<Change>) {
    appendLine("| situation | stack | figure | base | new | new ÷ base | |")
    appendLine("|---|---|---|---:|---:|---:|---|")
    changes.forEach { change ->
        val title = escaped(listOfNotNull(change.step?.words, change.title).joinToString())
        val figure = if (change.gated) "**$title**" else title
        val doubts = if (change.doubts.isEmpty()) "" else " (${change.doubts.joinToString()})"
        val outcome = if (change.outcome == ChangeOutcome.WORSE) "**worse**" else change.outcome.words
        val cells = listOf(
            escaped(change.situation), escaped(change.stack), figure, change.text(change.base), change.text(change.new),
            change.ratioText(),
            outcome + escaped(doubts),
        )
        appendLine(row(cells))
    }
}
