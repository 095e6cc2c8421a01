package threadgauge.judge.machine

import threadgauge.model.Checkup
import threadgauge.model.judgement.Finding
import threadgauge.model.judgement.Severity

/** One thing that the doctor looks at, and [why] it matters: looks at the check-up and says what it found, good or bad. */
internal class FindingRule(val name: String, private val why: String, private val look: (Checkup) -> Look) {
    fun examine(checkup: Checkup): Finding =
        look(checkup).let { Finding(name, it.severity, it.seen, why, it.remedy, it.command) }
}

/** What one rule found. */
internal class Look(val severity: Severity, val seen: String, val remedy: String? = null, val command: String? = null)

internal fun fine(seen: String) = Look(Severity.FINE, seen)

internal fun note(seen: String, remedy: String? = null, command: String? = null) = Look(Severity.NOTE, seen, remedy, command)

internal fun problem(seen: String, remedy: String? = null, command: String? = null) = Look(Severity.PROBLEM, seen, remedy, command)

/** Macs and locked-down containers do not tell everything. That is no fault of theirs, and nothing to mend. */
internal fun untold(what: String) = fine("the system does not tell $what")
