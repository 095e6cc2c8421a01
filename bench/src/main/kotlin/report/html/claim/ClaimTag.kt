package threadgauge.report.html.claim

import kotlinx.html.FlowContent
import kotlinx.html.span
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.report.html.VerdictTag
import threadgauge.wording.claim.words

/** A verdict on a claim as a sign and in words. */
internal fun tag(verdict: ClaimVerdict): VerdictTag = when (verdict) {
    ClaimVerdict.CONFIRMED -> VerdictTag("✓", verdict.words, "fits")
    ClaimVerdict.CONFIRMED_WITHIN_A_RANGE -> VerdictTag("◐", verdict.words, "fits")
    ClaimVerdict.REFUTED -> VerdictTag("✗", verdict.words, "refuted")
    ClaimVerdict.DECIDED_BY_THE_SETTING -> VerdictTag("⊤", verdict.words, "setting")
    ClaimVerdict.CANNOT_TELL_HERE -> VerdictTag("?", verdict.words, "unsure")
}

internal fun FlowContent.claimTag(verdict: ClaimVerdict) {
    val tag = tag(verdict)
    span("tag ${tag.style}") {
        span("sign") { attributes["aria-hidden"] = "true"; +tag.sign }
        +tag.words
    }
}
