package threadgauge.wording.claim

import threadgauge.model.judgement.ClaimVerdict

internal val ClaimVerdict.words: String
    get() = when (this) {
        ClaimVerdict.CONFIRMED -> "Confirmed"
        ClaimVerdict.CONFIRMED_WITHIN_A_RANGE -> "Confirmed within a range"
        ClaimVerdict.REFUTED -> "Refuted"
        ClaimVerdict.DECIDED_BY_THE_SETTING -> "Decided by the setting"
        ClaimVerdict.CANNOT_TELL_HERE -> "Cannot tell here"
    }

/** For a reader who sees the word for the first time. */
internal val ClaimVerdict.meaning: String
    get() = when (this) {
        ClaimVerdict.CONFIRMED -> "It holds in every situation in which it was asked fairly, by the whole interval."
        ClaimVerdict.CONFIRMED_WITHIN_A_RANGE ->
            "It holds in some of these situations, and not, or not surely, in others. Both are named."
        ClaimVerdict.REFUTED ->
            "It holds in none of them, by the whole interval, and no setting explains that it was seen."
        ClaimVerdict.DECIDED_BY_THE_SETTING ->
            "A setting, such as the number of users, bounds one side, and that alone makes the claim come out. " +
                "Another setting turns it."
        ClaimVerdict.CANNOT_TELL_HERE ->
            "Here it is not known: not measured, too few trials, invalid figures, " +
                "or an interval with values on both sides."
    }
