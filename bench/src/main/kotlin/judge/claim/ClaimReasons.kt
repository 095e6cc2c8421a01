package threadgauge.judge.claim

import threadgauge.model.judgement.claim.AsPublished
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.model.judgement.claim.ClaimReason
import threadgauge.model.judgement.claim.ClaimVerdict

/** The reason for [verdict], which follows from these checks. */
internal fun DecidingChecks.reason(verdict: ClaimVerdict): ClaimReason = when (verdict) {
    ClaimVerdict.CONFIRMED, ClaimVerdict.CONFIRMED_WITHIN_A_RANGE ->
        ClaimReason.Holds(holding, failing, unknown, asPublished())
    ClaimVerdict.REFUTED -> ClaimReason.Fails(failing, idle, asPublished())
    ClaimVerdict.DECIDED_BY_THE_SETTING -> when {
        isExplained -> ClaimReason.ExplainedBySetting(published, failing)
        holding.isNotEmpty() && freelyFailing.isNotEmpty() -> ClaimReason.HoldsBySettingAlone(holding, freelyFailing)
        else -> ClaimReason.Forced(all, asPublished())
    }
    ClaimVerdict.CANNOT_TELL_HERE -> ClaimReason.Unknown(unknown, failing)
}

/** Null where the checks as published decide, or where there are none. */
private fun DecidingChecks.asPublished(): AsPublished? {
    if (!isCorrected || published.isEmpty()) return null
    return when (published.map { checks[it].outcome }.distinct().singleOrNull()) {
        CheckOutcome.HOLDS -> AsPublished.HOLDS
        CheckOutcome.FAILS -> AsPublished.FAILS
        CheckOutcome.UNKNOWN, null -> AsPublished.UNCLEAR
    }
}
