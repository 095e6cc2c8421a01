package threadgauge.judge.machine

import threadgauge.model.Checkup
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.FindingFact
import threadgauge.model.judgement.FindingId
import threadgauge.model.judgement.Severity

/** One thing that the doctor looks at: examines the check-up and returns what it found, good or bad. */
internal class FindingRule(val id: FindingId, private val look: (Checkup) -> FindingResult) {
    fun examine(checkup: Checkup): Finding = look(checkup).let { Finding(id, it.severity, it.fact) }
}

/** What one rule found. */
internal class FindingResult(val severity: Severity, val fact: FindingFact)

internal fun fine(fact: FindingFact) = FindingResult(Severity.FINE, fact)

internal fun note(fact: FindingFact) = FindingResult(Severity.NOTE, fact)

internal fun problem(fact: FindingFact) = FindingResult(Severity.PROBLEM, fact)

/** Macs and locked-down containers do not report everything. That is no fault of theirs, and nothing to mend. */
internal fun unknown() = fine(FindingFact.Unknown)
