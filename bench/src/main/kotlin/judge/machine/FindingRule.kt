package threadgauge.judge.machine

import threadgauge.model.Checkup
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity

/** One check of the doctor: takes the check-up and returns its finding, good or bad. */
internal class FindingRule(val id: FindingId, private val look: (Checkup) -> FindingResult) {
    fun examine(checkup: Checkup): Finding = look(checkup).let { Finding(id, it.severity, it.fact) }
}

/** The result of a rule. */
internal class FindingResult(val severity: Severity, val fact: FindingFact)

internal fun fine(fact: FindingFact) = FindingResult(Severity.FINE, fact)

internal fun note(fact: FindingFact) = FindingResult(Severity.NOTE, fact)

internal fun problem(fact: FindingFact) = FindingResult(Severity.PROBLEM, fact)

/** macOS and restricted containers do not report everything. That is not a problem. */
internal fun unknown() = fine(FindingFact.Unknown)
