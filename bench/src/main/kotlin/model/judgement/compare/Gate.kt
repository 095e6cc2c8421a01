package threadgauge.model.judgement.compare

import threadgauge.model.judgement.GoalVerdict
import threadgauge.model.judgement.Judgement
import threadgauge.model.judgement.claim.ClaimVerdict

/**
 * What a build that asks for this run should do. A refuted claim or a broken goal takes precedence. A stack has figures
 * but no answer to the question if too many of its requests failed, or if its answers took longer than the load.
 */
val Judgement.gate: GateResult
    get() {
        val claims = claims.map { it.verdict }
        val goals = goals.map { it.verdict }
        val cells = situations.flatMap { it.cells }
        val isMissing = cells.any { it.trials == 0 || it.isFailing || it.isTooShort || it.hasOnlyFailed }
        val isOpen = ClaimVerdict.CANNOT_TELL_HERE in claims || GoalVerdict.CANNOT_TELL in goals
        return when {
            ClaimVerdict.REFUTED in claims || GoalVerdict.BROKEN in goals -> GateResult.FAILED
            isMissing || isOpen -> GateResult.CANNOT_TELL
            else -> GateResult.PASSED
        }
    }
