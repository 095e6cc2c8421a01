package threadgauge.model.judgement

/** One claim that one or several runs asked alike, and what is left of their verdicts. */
class ClaimOverRuns(
    /** That of all [runs]; where they differ, it cannot be told here. */
    val verdict: ClaimVerdict,
    /** At least one, in the order of the runs. */
    val runs: List<ClaimInRun>,
) {
    val runsDiffer: Boolean get() = runs.any { it.judged.verdict != verdict }
}

/** What the run with this [index] among all runs, counted from 0, made of a claim. */
class ClaimInRun(val index: Int, val judged: ClaimJudgement)
