package threadgauge.wording.regression

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import org.junit.jupiter.api.Test
import threadgauge.model.Load
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.compare.AskedPart
import threadgauge.model.judgement.compare.Change
import threadgauge.model.judgement.compare.ChangeOutcome
import threadgauge.model.judgement.compare.ComparedPart
import threadgauge.model.judgement.compare.ComparisonSide
import threadgauge.model.judgement.compare.GateResult
import threadgauge.model.judgement.compare.Mismatch
import threadgauge.model.judgement.compare.RecordComparison

/** On data made by hand: no record is needed to see a sentence. */
class ChangeWordsTest {
    private val worse = Change(
        "shop", "orders", Compared.P99, true, 10.0, 12.34, 1.234, 1.1, 1.3, ChangeOutcome.WORSE, Validity.VALID,
    )
    private val open = worse.copy(outcome = ChangeOutcome.CANNOT_TELL, trialsToTell = 14)

    private fun comparison(gate: GateResult, vararg changes: Change, notCompared: List<Mismatch> = emptyList()) =
        RecordComparison(listOf("main-1"), listOf("new-1"), 0.03, gate, changes.toList(), notCompared, emptyList())

    @Test
    fun `a change is told as a ratio with its interval`() {
        worse.words() shouldBe "p99 latency of shop in orders is 1.234 times the base's (1.100 to 1.300)"
        worse.copy(low = null).words() shouldEndWith "(no interval)"
        worse.inFull() shouldEndWith "(1.100 to 1.300): 10 before, 12.3 now (p99, ms)"
    }

    @Test
    fun `a gate that failed names what is worse, the first three in full`() {
        comparison(GateResult.FAILED, worse, open).words() shouldBe "Worse than the base: ${worse.words()}."
        comparison(GateResult.FAILED, worse, worse, worse, worse, worse).words() shouldEndWith "; and 2 more."
    }

    @Test
    fun `a gate that passed names the margin, and what is better`() {
        comparison(GateResult.PASSED).words() shouldBe "Not worse than the base by more than 3 %."
        comparison(GateResult.PASSED, worse.copy(ratio = 0.9, outcome = ChangeOutcome.BETTER)).words() shouldContain
            "by more than 3 %. Better: p99 latency of shop in orders is 0.900"
    }

    @Test
    fun `what cannot be told comes with what would help`() {
        fun words(vararg changes: Change) = comparison(GateResult.CANNOT_TELL, *changes).words()
        words() shouldBe "Cannot tell whether it is worse than the base: no figure was measured on both sides."
        words(open, open.copy(trialsToTell = 20)) shouldEndWith
            "If trials go on to vary like this, about 20 on each side are enough."
        words(open, open.copy(trialsToTell = null)) shouldContain "even 100 on each side are too few"
        words(open.copy(low = null, high = null)) shouldEndWith "An interval needs three trials on each side."
        words(open.copy(validity = Validity.INVALID, doubts = listOf("failures"))) shouldEndWith
            "p99 latency of shop in orders is invalid (failures)."
    }

    @Test
    fun `a mismatch says what differs, and on which side something is missing`() {
        Mismatch.Missing(ComparedPart.STACK, "shop", ComparisonSide.BASE).words() shouldBe "shop: not in the base"
        Mismatch.Missing(ComparedPart.SITUATION, "orders", ComparisonSide.NEW).words() shouldBe
            "orders: not in the new record"
        Mismatch.NotMeasured("shop", "orders", ComparisonSide.entries).words() shouldBe
            "shop in orders: not measured in the base or the new record"
        val base = Load.Users(50, 5_000_000_000)
        Mismatch.AskedOtherwise("orders", listOf(AskedPart.LOAD), base, base.copy(users = 70)).words() shouldBe
            "orders: the load differs (50 users for 5 s in the base, 70 users for 5 s now)"
        Mismatch.AskedOtherwise("orders", listOf(AskedPart.REQUEST, AskedPart.CONNECTIONS), base, base).words() shouldBe
            "orders: the request differs and the use of connections differs"
    }

    @Test
    fun `how sure the answer is depends on figures, runs and margin`() {
        comparison(GateResult.FAILED, worse).basisWords() shouldBe
            "1 gated figure, with 95 % confidence. Differences below 3 % do not count."
        comparison(GateResult.CANNOT_TELL).basisWords() shouldBe "No gated figure was measured on both sides."
        comparison(GateResult.FAILED, worse, open).copy(base = listOf("a", "b")).basisWords() shouldContain
            "2 base runs, 1 new run. 2 gated figures, with 95 % confidence for all of them together."
    }
}
