package threadgauge.report.ci

import javax.xml.stream.XMLStreamWriter
import threadgauge.model.judgement.CellJudgement
import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.SituationJudgement
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.model.notation
import threadgauge.report.format.ReportContext
import threadgauge.report.format.ReportedFigure
import threadgauge.report.format.element
import threadgauge.report.format.sureness
import threadgauge.report.format.text
import threadgauge.report.format.valueText
import threadgauge.report.format.xmlDocument
import threadgauge.report.html.trialNumbers
import threadgauge.wording.claim.words
import threadgauge.wording.failure.reason
import threadgauge.wording.goal.words
import threadgauge.wording.verdict.verdictWords

/**
 * Runs as JUnit XML for build servers. A suite for each situation has a case for each stack, with its figures, and for
 * each goal of each stack; a suite has the claims. A broken goal and a refuted claim are failures. *Cannot tell* is
 * skipped, with the reason. A stack that was not measured is an error.
 */
fun runJUnit(runs: List<JudgedRun>): String = xmlDocument {
    element("testsuites", "name" to "threadgauge") {
        runs.forEach { run ->
            val experiment = run.record.plan.experiment.name
            run.judgement.situations.forEach { suite(run, experiment, it) }
            if (run.judgement.claims.isNotEmpty()) {
                suite("$experiment: claims", "threadgauge.$experiment", claims(run), run.report)
            }
        }
    }
}

private class Case(val name: String, val result: Result, val words: String)

private enum class Result { PASSED, FAILED, ERROR, SKIPPED }

private fun XMLStreamWriter.suite(run: JudgedRun, experiment: String, judged: SituationJudgement) {
    val situation = judged.situation.name
    val context = ReportContext(run.record, run.judgement)
    val stacks = judged.cells.map { stack(context, it) }
    val goals = run.judgement.goals.filter { it.situation == situation }.map { goal ->
        val result = when (goal.verdict) {
            GoalVerdict.KEPT -> Result.PASSED
            GoalVerdict.BROKEN -> Result.FAILED
            GoalVerdict.CANNOT_TELL -> Result.SKIPPED
        }
        Case("${goal.stack}: ${goal.goal.notation()}", result, goal.words())
    }
    val words = listOf(judged.verdictWords(), "Report: ${run.report}").joinToString("\n")
    suite("$experiment: $situation", "threadgauge.$experiment.$situation", stacks + goals, words)
}

private fun stack(context: ReportContext, cell: CellJudgement): Case {
    val name = "${cell.stack}: measured"
    if (cell.trials == 0) {
        val why = context.troubles.filter { it.first().stack == cell.stack }
            .joinToString("; ") { trials -> "${trialNumbers(trials)}: ${trials.first().reason().orEmpty()}" }
        return Case(name, Result.ERROR, "not measured${if (why.isEmpty()) "" else ": $why"}")
    }
    val figures = ReportedFigure.entries.mapNotNull { column ->
        column.of(cell)?.let { "${column.label}: ${it.valueText()} ${column.unit} (${it.sureness()})" }
    }
    val isUnfit = cell.isFailing || cell.isTooShort || cell.hasOnlyFailed
    return Case(name, if (isUnfit) Result.SKIPPED else Result.PASSED, figures.joinToString("\n"))
}

private fun claims(run: JudgedRun): List<Case> = run.judgement.claims.map { judged ->
    val result = when (judged.verdict) {
        ClaimVerdict.REFUTED -> Result.FAILED
        ClaimVerdict.CANNOT_TELL_HERE -> Result.SKIPPED
        else -> Result.PASSED
    }
    Case(judged.claim.says, result, "${judged.verdict.words}: ${judged.words()}")
}

private fun XMLStreamWriter.suite(name: String, className: String, cases: List<Case>, words: String) = element(
    "testsuite", "name" to name, "tests" to "${cases.size}",
    "failures" to "${cases.count { it.result == Result.FAILED }}",
    "errors" to "${cases.count { it.result == Result.ERROR }}",
    "skipped" to "${cases.count { it.result == Result.SKIPPED }}",
) {
    cases.forEach { case ->
        element("testcase", "classname" to className, "name" to case.name) {
            when (case.result) {
                Result.PASSED -> element("system-out") { text(case.words) }
                Result.FAILED -> element("failure", "type" to "not-kept", "message" to case.words)
                Result.ERROR -> element("error", "type" to "not-measured", "message" to case.words)
                Result.SKIPPED -> element("skipped", "message" to case.words)
            }
        }
    }
    element("system-out") { text(words) }
}
