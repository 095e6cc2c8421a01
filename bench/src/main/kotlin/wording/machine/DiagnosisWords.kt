package threadgauge.wording.machine

import threadgauge.model.judgement.Diagnosis
import threadgauge.model.judgement.Severity
import threadgauge.wording.counted

/** Whether the machine is fit to measure: a [verdict], which reports may emphasize, and the [rest] of the sentence. */
internal class DiagnosisWords(val verdict: String, val rest: String)

internal fun Diagnosis.words(): DiagnosisWords {
    val notes = findings.count { it.severity == Severity.NOTE }.toLong()
    val problems = findings.count { it.severity == Severity.PROBLEM }.toLong()
    val and = if (notes == 0L) "" else " and ${counted(notes, "note")}"
    return when {
        problems > 0 ->
            DiagnosisWords("This machine is not fit to measure now:", "${counted(problems, "problem")}$and, see below.")
        notes > 0 -> DiagnosisWords("This machine is fit to measure,", "with ${counted(notes, "note")}, see below.")
        else -> DiagnosisWords("This machine is fit to measure.", "No problem was found.")
    }
}

/** What to do about the problems; null where there are none. */
internal fun Diagnosis.advice(): String? =
    if (fit) null else "Fix what is marked as a problem, then run the doctor again."
