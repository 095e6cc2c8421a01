package threadgauge.wording.claim

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.claim.Bound
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.claim.PublishedFigure
import threadgauge.model.claim.Relation
import threadgauge.model.claim.Statement
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.doubt.MachineDoubt
import threadgauge.model.judgement.CheckFinding
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.claim.CheckOutcome
import threadgauge.wording.doubt.seen

/** What one statement of a claim found, and why it may tell nothing. */
class CheckWordsTest {
    private val few = ClaimCell("a", "few")

    @Test
    fun `what was measured stands beside what is claimed`() {
        found(servesMore("few"), 21.3, CheckOutcome.HOLDS).words() shouldBe
            "Measured 21.3 times (19.2 to 23.4), claimed at least 2 times."
        found(servesMore("few", factor = 1.0), 1.5, CheckOutcome.HOLDS).words() shouldBe
            "Measured 1.500 times (1.350 to 1.650), claimed at least as much."
        found(answersSoon("few"), 40.0, CheckOutcome.HOLDS).words() shouldBe
            "Measured 40 ms (36 ms to 44 ms), claimed at most 50 ms."
        found(answersSoon("few"), 50.0, CheckOutcome.UNKNOWN).words() shouldBe
            "Measured 50 ms (45 ms to 55.0 ms), claimed at most 50 ms. " +
            "The interval includes values on both sides of the claim."
    }

    @Test
    fun `what was the same in every trial has no interval, and nothing is just nothing`() {
        val none = Statement(ClaimMeasure.OVERSOLD, few, Relation.EQUAL, Bound.Value(0.0))
        found(none, 0.0, CheckOutcome.HOLDS).words() shouldBe "Measured 0 in every trial, claimed 0."
    }

    @Test
    fun `every obstacle is told`() {
        fun words(finding: CheckFinding, measure: ClaimMeasure = ClaimMeasure.THROUGHPUT) =
            untold(servesMore("few").copy(measure = measure), finding).words()
        words(CheckFinding.NothingSold, ClaimMeasure.LOST) shouldBe
            "Not measured: this experiment sells no tickets."
        words(CheckFinding.NoRest, ClaimMeasure.IDLE_CPU) shouldBe
            "Not measured: CPU at rest needs `rest: 20s` in the experiment file."
        words(CheckFinding.NoRest, ClaimMeasure.FIRST_COLLECTION) shouldBe
            "Not measured: heap at the first GC needs `rest: 20s` in the experiment file."
        words(CheckFinding.ZeroInSomeTrial) shouldBe "A figure is zero in at least one trial, so there is no ratio."
        words(CheckFinding.StackLeftOut("b")) shouldBe "b was left out of this run."
        words(CheckFinding.NoFigure(few)) shouldBe "a in few was not measured."
        words(CheckFinding.NoFigure(ClaimCell("a"))) shouldBe "a was not measured."
        val doubts = listOf(MachineDoubt.StolenTime(0.17, 0.02), LoadDoubt.FewSamples(12, 1_000))
            .map { Doubt(it, Validity.INVALID) }
        words(CheckFinding.InvalidFigures(few, doubts)) shouldBe
            "The figures of a in few are invalid: ${doubts[0].seen}; ${doubts[1].seen}."
        words(CheckFinding.TooFewTrials(few, 1, 3)) shouldBe "a in few has 1 trial; an interval needs 3."
        words(CheckFinding.TooFewTrials(few, 2, 3)) shouldBe "a in few has 2 trials; an interval needs 3."
    }

    @Test
    fun `an outcome that a setting forces says so`() {
        fun words(outcome: CheckOutcome, isForced: Boolean) =
            found(servesMore("few"), 3.0, outcome, isForced = isForced).outcomeWords()
        words(CheckOutcome.HOLDS, isForced = false) shouldBe "Holds."
        words(CheckOutcome.HOLDS, isForced = true) shouldBe "Holds, because of a limit."
        words(CheckOutcome.FAILS, isForced = false) shouldBe "Does not hold."
        words(CheckOutcome.FAILS, isForced = true) shouldBe "Does not hold, because of a limit."
        words(CheckOutcome.UNKNOWN, isForced = false) shouldBe "Cannot tell."
    }

    @Test
    fun `a check is called by what tells it from the others of its claim`() {
        val check = found(servesMore("few", "many"), 3.0, CheckOutcome.HOLDS)
        check.label(listOf(check)) shouldBe "Tested fairly, few against many"
        check.label(listOf(check, found(answersSoon("few"), 40.0, CheckOutcome.HOLDS))) shouldBe
            "Tested fairly, Throughput, few against many"
        val other = servesMore("few").copy(left = ClaimCell("c", "few"))
        check.copy(asPublished = true).label(listOf(check, found(other, 3.0, CheckOutcome.HOLDS))) shouldBe
            "As published, a, few against many"
    }

    @Test
    fun `a published figure is a value or a range, and an interval says where it comes from`() {
        PublishedFigure(ClaimMeasure.THROUGHPUT, few, 192.6, 192.6).words() shouldBe "192.6/s"
        PublishedFigure(ClaimMeasure.P99, few, 30.0, 1_500.0).words() shouldBe "30 ms to 1.50 s"
        fun interval(figure: Figure) = figure.intervalWords(ClaimMeasure.P99.unit::text)
        interval(Figure(40.0, 30.0, 50.0, emptyList())) shouldBe "30 ms to 50 ms"
        interval(Figure(40.0, 40.0, 40.0, emptyList())) shouldBe "all equal"
        interval(Figure(40.0, values = listOf(40.0, 41.0))) shouldBe "n of 2"
    }
}
