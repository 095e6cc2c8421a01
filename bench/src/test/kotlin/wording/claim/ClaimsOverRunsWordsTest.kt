package threadgauge.wording.claim

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.claim.Claim
import threadgauge.model.judgement.claim.ClaimInRun
import threadgauge.model.judgement.claim.ClaimJudgement
import threadgauge.model.judgement.claim.ClaimOverRuns
import threadgauge.model.judgement.claim.ClaimReason
import threadgauge.model.judgement.claim.ClaimVerdict
import threadgauge.model.judgement.claim.ClaimVerdict.CANNOT_TELL_HERE
import threadgauge.model.judgement.claim.ClaimVerdict.CONFIRMED
import threadgauge.model.judgement.claim.ClaimVerdict.REFUTED

class ClaimsOverRunsWordsTest {
    private fun claim(verdict: ClaimVerdict, vararg runs: ClaimVerdict) = ClaimOverRuns(
        verdict,
        runs.mapIndexed { index, its ->
            ClaimInRun(index, ClaimJudgement(Claim("c", "So."), its, ClaimReason.Holds(emptyList()), emptyList()))
        },
    )

    @Test
    fun `verdicts are counted`() {
        listOf(claim(REFUTED, REFUTED), claim(CONFIRMED, CONFIRMED), claim(REFUTED, REFUTED)).words() shouldBe
            "1 confirmed, 2 refuted."
    }

    @Test
    fun `whether runs agree is said where there are several`() {
        val agreed = claim(CONFIRMED, CONFIRMED, CONFIRMED)
        val once = claim(REFUTED, REFUTED)
        val torn = claim(CANNOT_TELL_HERE, CONFIRMED, REFUTED)
        listOf(agreed).words() shouldBe "1 confirmed. All claims were tested in more than one run, and the runs agree."
        listOf(agreed, once).words() shouldBe
            "1 confirmed, 1 refuted. 1 claim was tested in more than one run, and the runs agree."
        listOf(agreed, once, torn).words() shouldBe "1 confirmed, 1 refuted, 1 cannot tell here. " +
            "2 claims were tested in more than one run. The runs disagree on 1 claim, which counts as cannot tell here."
        listOf(torn, torn).words() shouldBe "2 cannot tell here. All claims were tested in more than one run. " +
            "The runs disagree on 2 claims, which count as cannot tell here."
    }
}
