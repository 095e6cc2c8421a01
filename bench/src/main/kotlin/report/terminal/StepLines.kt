package threadgauge.report.terminal

import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.ScenarioJudgement
import threadgauge.report.format.NOTHING
import threadgauge.report.format.number

/**
 * A table of the steps of scenario [name], a heading first: under each step its servers, because those are compared.
 * [cells] are stacks with what their users met.
 */
internal fun stepLines(name: String, cells: List<Pair<String, ScenarioJudgement>>): List<String> {
    val steps = cells.first().second.steps.indices.flatMap { at ->
        cells.mapIndexed { index, (stack, scenario) ->
            val step = scenario.steps[at]
            row(step.name, index, stack, step.answered, step.failed, step.p50Millis, step.p95Millis)
        }
    }
    val passes = cells.mapIndexed { index, (stack, its) ->
        row("whole pass", index, stack, its.completed, its.failed, its.durationP50Millis, its.durationP95Millis)
    }
    val rows = listOf(listOf(name, "", "correct", "failed", "p50 ms", "p95 ms")) + steps + passes
    val widths = rows.first().indices.map { column -> rows.maxOf { it[column].length } }
    return rows.map { row ->
        row.mapIndexed { at, text -> if (at < TEXTS) text.padEnd(widths[at]) else text.padStart(widths[at]) }
            .joinToString("  ").trimEnd()
    }
}

/** The name of a step stands only before its first server. */
private fun row(name: String, index: Int, stack: String, correct: Long, failed: Long, p50: Figure?, p95: Figure?) =
    listOf(name.takeIf { index == 0 }.orEmpty(), stack, number(correct), number(failed), p50.text(), p95.text())

private fun Figure?.text() = this?.let { number(it.value) } ?: NOTHING

/** Columns of text; all others are numbers. */
private const val TEXTS = 2
