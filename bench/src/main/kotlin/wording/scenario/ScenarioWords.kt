package threadgauge.wording.scenario

import threadgauge.model.judgement.ScenarioJudgement
import threadgauge.wording.counted
import threadgauge.wording.whole

/** "120 passes: 100 completed, 5 failed, 15 cut off by the end of the load." */
internal fun ScenarioJudgement.passesWords(): String {
    val parts = listOfNotNull(
        "${whole(completed)} completed",
        "${whole(failed)} failed".takeIf { failed > 0 },
        "${whole(cut)} cut off by the end of the load".takeIf { cut > 0 },
    )
    return "${counted(begun, "pass", "passes")}: ${parts.joinToString(", ")}."
}
