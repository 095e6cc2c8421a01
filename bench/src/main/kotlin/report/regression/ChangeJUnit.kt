package threadgauge.report.regression

import javax.xml.stream.XMLStreamWriter
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.Mismatch
import threadgauge.model.judgement.compare.RecordComparison
import threadgauge.report.format.element
import threadgauge.report.format.text
import threadgauge.report.format.xmlDocument
import threadgauge.wording.regression.inFull
import threadgauge.wording.regression.words
import threadgauge.wording.words

/**
 * A comparison as JUnit XML for build servers: a suite for each situation, a case for each gated figure of each stack.
 * Worse is a failure; *cannot tell* is skipped, with the reason.
 */
fun changeJUnit(comparison: RecordComparison): String = xmlDocument {
    element("testsuites", "name" to "threadgauge compare") {
        comparison.changes.filter { it.gated }.groupBy { it.situation }
            .forEach { (situation, changes) -> suite(situation, changes) }
        if (comparison.notCompared.isNotEmpty()) missing(comparison.notCompared)
    }
}

private fun XMLStreamWriter.suite(situation: String, changes: List<Change>) = element(
    "testsuite", "name" to situation, "tests" to "${changes.size}",
    "failures" to "${changes.count { it.outcome == ChangeOutcome.WORSE }}",
    "skipped" to "${changes.count { it.outcome == ChangeOutcome.CANNOT_TELL }}", "errors" to "0",
) {
    changes.forEach { change ->
        val name = "${change.stack}: ${listOfNotNull(change.step?.words, change.of.words).joinToString()}"
        element("testcase", "classname" to "threadgauge.${change.situation}", "name" to name) {
            val words = change.inFull()
            when (change.outcome) {
                ChangeOutcome.WORSE -> element("failure", "type" to "worse", "message" to words) {}
                ChangeOutcome.CANNOT_TELL -> element("skipped", "message" to "cannot tell: $words") {}
                else -> element("system-out") { text(words) }
            }
        }
    }
}

private fun XMLStreamWriter.missing(notCompared: List<Mismatch>) =
    element(
        "testsuite", "name" to "not compared", "tests" to "${notCompared.size}", "skipped" to "${notCompared.size}",
    ) {
        notCompared.map { it.words() }.forEach { what ->
            element("testcase", "classname" to "threadgauge", "name" to what) {
                element("skipped", "message" to what) {}
            }
        }
    }
