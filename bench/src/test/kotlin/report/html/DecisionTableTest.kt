package threadgauge.report.html

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import threadgauge.model.doubt.Doubt
import threadgauge.model.doubt.LoadDoubt
import threadgauge.model.judgement.CannotTellReason
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.Figure
import threadgauge.model.judgement.Validity
import threadgauge.model.judgement.Verdict
import threadgauge.report.exampleJudgement
import threadgauge.report.exampleRanking
import threadgauge.report.exampleRecord
import threadgauge.report.format.percent

class DecisionTableTest {
    private val usual = exampleJudgement().situations[0]
    private val leader = usual.cells[0].copy(validity = Validity.VALID, trials = 5)
    private val other = usual.cells[1].copy(validity = Validity.VALID, trials = 5)
    private val pair = Comparison(leader.stack, other.stack, 2.0, 1.6, 2.5, ComparisonOutcome.MORE)

    private fun judged(verdict: Verdict, pair: Comparison = this.pair, by: Compared = Compared.THROUGHPUT) =
        usual.copy(verdict = verdict, comparisons = listOf(pair), otherComparisons = emptyList(), decidedBy = by)

    private fun ranking(vararg leaders: String) =
        exampleRanking(listOf(leader, other, usual.cells[2]), leaders.toList())

    @Test
    fun `the leader leads, and another has its ratio to the leader, whichever of the two was divided by the other`() {
        val fits = Verdict.Fits(ranking(leader.stack))
        decisionMark(judged(fits), leader) shouldBe DecisionMark("✓", "leads", "fits")
        decisionMark(judged(fits), other) shouldBe DecisionMark("", "0.500×", "behind", "0.400–0.625")
        val turned = pair.copy(stack = other.stack, other = leader.stack, ratio = 0.5, low = 0.4, high = 0.625)
        decisionMark(judged(fits, turned), other) shouldBe DecisionMark("", "0.500×", "behind", "0.400–0.625")
    }

    @Test
    fun `several leaders do not differ, and a setting that decides is said`() {
        val both = listOf(leader.stack, other.stack)
        decisionMark(
            judged(Verdict.Fits(ranking(*both.toTypedArray()))), other,
        ) shouldBe DecisionMark("=", "among the best", "fits")
        val bySetting = Verdict.DecidedBySetting(ranking(leader.stack))
        decisionMark(judged(bySetting), leader) shouldBe DecisionMark("⊤", "best, because of a limit", "setting")
        val noDifference = Verdict.NoDifference(ranking(leader.stack, other.stack))
        decisionMark(judged(noDifference), other) shouldBe DecisionMark("=", "no difference", "same")
    }

    @Test
    fun `what cannot be told, or was not compared by what decided, is no ratio`() {
        decisionMark(judged(Verdict.CannotTell(CannotTellReason.NoValidFigure)), leader).words shouldBe "cannot tell"
        decisionMark(judged(Verdict.Indicative(ranking(leader.stack))), leader).words shouldBe "no interval"
        val fits = Verdict.Fits(ranking(leader.stack))
        decisionMark(judged(fits, by = Compared.P99), other).words shouldBe "not compared"
        decisionMark(judged(fits), other.copy(validity = Validity.INVALID)).words shouldBe "no valid figure"
        decisionMark(judged(fits), null).words shouldBe "not measured"
        val failed = Doubt(LoadDoubt.Failures(0.44, 0.001, emptyMap(), 44, 0), Validity.INVALID)
        val failing = other.copy(
            validity = Validity.INVALID, doubts = listOf(failed), errorShare = Figure(0.44, values = listOf(0.44)),
        )
        decisionMark(judged(fits), failing).words shouldBe "fails ${percent(0.44)}"
    }

    @Test
    fun `beside a baseline each has its ratio to it, also where it cannot be told, and the baseline is named as one`() {
        val beside = Verdict.BesideBaselines(listOf(other.stack), ranking(leader.stack))
        decisionMark(judged(beside), other) shouldBe DecisionMark("÷", "baseline", "same")
        decisionMark(judged(beside), leader) shouldBe DecisionMark("▲", "2.00×", "behind", "1.60–2.50")
        decisionMark(judged(beside, pair.copy(outcome = ComparisonOutcome.CANNOT_TELL)), leader).sign shouldBe "?"
        decisionMark(judged(beside, pair.copy(outcome = ComparisonOutcome.NO_DIFFERENCE)), leader).sign shouldBe "="
        decisionMark(judged(beside), leader.copy(stack = "third")).words shouldBe "not compared"
    }

    @Test
    fun `it is shown where there is something to choose, and leads to the figures`() {
        val judgement = exampleJudgement()
        val html = htmlReport(exampleRecord(), judgement)
        html shouldContain "id=\"decision\""
        judgement.situations.indices.forEach { html shouldContain "href=\"#${situationId(it)}\" class=\"decision" }
        htmlReport(
            exampleRecord(), judgement.copy(situations = judgement.situations.take(1)),
        ) shouldNotContain "id=\"decision\""
    }
}
