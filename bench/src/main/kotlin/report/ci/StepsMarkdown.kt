package threadgauge.report.ci

import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.SituationJudgement
import threadgauge.report.format.NOTHING
import threadgauge.report.format.escaped
import threadgauge.report.format.number
import threadgauge.report.format.row

/** The steps of each scenario, folded, with the servers side by side in each; empty without scenarios. */
internal fun stepsMarkdown(judged: SituationJudgement): String {
    val cells = judged.cells.filter { it.scenarios.isNotEmpty() }
    if (cells.isEmpty()) return ""
    val scenarios = cells.first().scenarios
    val rows = scenarios.flatMapIndexed { number, scenario ->
        val its = cells.map { it.stack to it.scenarios[number] }
        val steps = scenario.steps.indices.flatMap { at ->
            its.map { (stack, met) ->
                val step = met.steps[at]
                val name = "${scenario.name}.${step.name}"
                cells(name, stack, step.answered, step.failed, step.p50Millis, step.p95Millis)
            }
        }
        steps + its.map { (stack, met) ->
            val (p50, p95) = met.durationP50Millis to met.durationP95Millis
            cells("${scenario.name}, whole pass", stack, met.completed, met.failed, p50, p95)
        }
    }
    return buildString {
        appendLine("<details><summary>Steps of ${scenarios.joinToString { escaped(it.name) }}</summary>")
        appendLine()
        appendLine("| step | stack | correct | failed | p50 ms | p95 ms |")
        appendLine("|---|---|---:|---:|---:|---:|")
        rows.forEach { appendLine(row(it)) }
        appendLine()
        append("</details>")
    }
}

private fun cells(step: String, stack: String, correct: Long, failed: Long, p50: Figure?, p95: Figure?) = listOf(
    escaped(step), escaped(stack), number(correct), number(failed),
    p50?.let { number(it.value) } ?: NOTHING, p95?.let { number(it.value) } ?: NOTHING,
)
