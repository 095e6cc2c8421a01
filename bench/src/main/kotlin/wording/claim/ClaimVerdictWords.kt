package threadgauge.wording.claim

import threadgauge.model.judgement.claim.ClaimVerdict

internal val ClaimVerdict.words: String
    get() = when (this) {
        ClaimVerdict.CONFIRMED -> "Confirmed"
        ClaimVerdict.CONFIRMED_WITHIN_A_RANGE -> "Confirmed within a range"
        ClaimVerdict.REFUTED -> "Refuted"
        ClaimVerdict.DECIDED_BY_THE_SETTING -> "Decided by the setting"
        ClaimVerdict.CANNOT_TELL_HERE -> "Cannot tell here"
    }

/** The explanation of the verdict, for first-time readers. */
internal val ClaimVerdict.meaning: String
    get() = when (this) {
        ClaimVerdict.CONFIRMED ->
            "The claim holds in every situation in which it was tested fairly: the whole interval is on its side."
        ClaimVerdict.CONFIRMED_WITHIN_A_RANGE ->
            "The claim holds in some of these situations. In others it does not, or the run cannot tell. " +
                "Both are named."
        ClaimVerdict.REFUTED ->
            "The claim holds in none of them: the whole interval is on the other side. " +
                "No setting explains the published result."
        ClaimVerdict.DECIDED_BY_THE_SETTING ->
            "A setting, such as the number of users, limits one side. That limit alone produces the result, " +
                "and another setting would change it."
        ClaimVerdict.CANNOT_TELL_HERE ->
            "The run cannot tell: not measured, too few trials, invalid figures, " +
                "or an interval with values on both sides of the claim."
    }
