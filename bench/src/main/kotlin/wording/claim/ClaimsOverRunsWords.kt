package threadgauge.wording.claim

import threadgauge.model.judgement.claim.ClaimOverRuns
import threadgauge.model.judgement.claim.ClaimVerdict

/** "13 refuted, 6 confirmed. All claims were tested in more than one run, and the runs agree." */
internal fun List<ClaimOverRuns>.words(): String {
    val verdicts = ClaimVerdict.entries.map { verdict -> verdict to count { it.verdict == verdict } }
        .filter { (_, count) -> count > 0 }
        .joinToString(", ") { (verdict, count) -> "$count ${verdict.words.lowercase()}" }
    val again = count { it.runs.size > 1 }
    val differ = count { it.runsDiffer }
    return "$verdicts." + when {
        again == 0 -> ""
        differ == 0 -> " ${tested(again, size)} in more than one run, and the runs agree."
        else -> " ${tested(again, size)} in more than one run. ${disagree(differ)}."
    }
}

private fun tested(again: Int, all: Int) = when (again) {
    all -> "All claims were tested"
    1 -> "1 claim was tested"
    else -> "$again claims were tested"
}

private fun disagree(count: Int) = when (count) {
    1 -> "The runs disagree on 1 claim, which counts as cannot tell here"
    else -> "The runs disagree on $count claims, which count as cannot tell here"
}
