package threadgauge.wording.claim

import threadgauge.model.judgement.ClaimOverRuns
import threadgauge.model.judgement.ClaimVerdict

/** "13 refuted, 6 confirmed. 19 were asked in more than one run; where these differ (2 claims), it cannot be told." */
internal fun List<ClaimOverRuns>.words(): String {
    val verdicts = ClaimVerdict.entries.map { verdict -> verdict to count { it.verdict == verdict } }
        .filter { (_, count) -> count > 0 }
        .joinToString(", ") { (verdict, count) -> "$count ${verdict.words.lowercase()}" }
    val again = count { it.runs.size > 1 }
    val differ = count { it.runsDiffer }
    return "$verdicts." + when {
        again == 0 -> ""
        differ == 0 -> " ${asked(again, size)} in more than one run, and the runs agree."
        else ->
            " ${asked(again, size)} in more than one run; where the runs differ (${claims(differ)}), it cannot be told."
    }
}

private fun asked(again: Int, all: Int) = when (again) {
    all -> "All were asked"
    1 -> "1 was asked"
    else -> "$again were asked"
}

private fun claims(count: Int) = if (count == 1) "1 claim" else "$count claims"
