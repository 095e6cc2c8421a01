package threadgauge.model.judgement.claim

/** One claim that one or several runs tested in the same way, and the common verdict. */
class ClaimOverRuns(
    /** The verdict of all [runs]; *cannot tell here* where they differ. */
    val verdict: ClaimVerdict,
    /** At least one, in the order of the runs. */
    val runs: List<ClaimInRun>,
) {
    val runsDiffer: Boolean get() = runs.any { it.judged.verdict != verdict }
}

/** The verdict of the run with this [index], counted from 0. */
class ClaimInRun(val index: Int, val judged: ClaimJudgement)
