package threadgauge.judge.knee

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.knee.Attempt
import threadgauge.knee.KneePosterior
import threadgauge.model.Trial
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.KneeComparison
import threadgauge.model.judgement.KneeOutcome
import threadgauge.wording.knee.comparisonWords

class KneeComparisonsTest {
    /** Of the knee: what is at most 1 is kept. */
    private val shape = listOf(0.4, 0.6, 0.9, 1.3, 0.98, 1.04, 0.995, 1.01, 0.9925, 1.0075)

    private fun compared(vararg capacities: Pair<String, List<Double>>): List<KneeComparison> =
        judgeKnees(kneesRecordOf(mapOf(*capacities), shape)).comparisons

    @Test
    fun `one target is compared with nothing, and its judgement is as before`() {
        val record = kneesRecordOf(mapOf("a" to listOf(2_000.0)), shape)
        judgeKnees(record).comparisons.shouldBeEmpty()
        judgeKnees(record).targets.single() shouldBe judgeKnee(record)
    }

    @Test
    fun `each target has its own probes, knee and processes`() {
        val judged = judgeKnees(kneesRecordOf(mapOf("a" to listOf(2_000.0), "b" to listOf(1_000.0)), shape))
        val (a, b) = judged.targets
        a.target shouldBe "A"
        a.knee!!.perSecond shouldBe (2_000.0 plusOrMinus 20.0)
        b.knee!!.perSecond shouldBe (1_000.0 plusOrMinus 10.0)
        listOf(a, b).map { it.probes.size } shouldBe listOf(18, 18)
        listOf(a, b).map { it.processes.size } shouldBe listOf(1, 1)
    }

    @Test
    fun `one process of each has the interval of its two searches`() {
        val only = compared("a" to listOf(2_000.0), "b" to listOf(1_000.0)).single()
        only.ratio.shouldNotBeNull() shouldBe (2.0 plusOrMinus 0.01)
        only.low.shouldNotBeNull() shouldBeLessThan 1.99
        only.high.shouldNotBeNull() shouldBeGreaterThan 2.01
        only.outcome shouldBe ComparisonOutcome.MORE
        only.blocks shouldBe 1
        compared("a" to listOf(1_000.0), "b" to listOf(2_000.0)).single().outcome shouldBe ComparisonOutcome.LESS
        compared("a" to listOf(1_000.0), "b" to listOf(1_000.0)).single().let {
            it.ratio!! shouldBe (1.0 plusOrMinus 1e-9)
            it.outcome shouldBe ComparisonOutcome.CANNOT_TELL
        }
    }

    @Test
    fun `what all processes of a block have in common cancels out in the ratio`() {
        // Every block is as slow for one as for the other, which leaves the ratio alone.
        val drift = listOf(1.0, 0.99, 0.98, 1.04)
        val three = compared("a" to drift.map { 2_000 * it }, "b" to drift.map { 1_000 * it }).single()
        three.blocks shouldBe 4
        three.ratio!! shouldBe (2.0 plusOrMinus 0.001)
        three.high!! / three.low!! shouldBeLessThan 1.001
        val apart = compared("a" to drift.map { 2_000 * it }, "b" to drift.reversed().map { 1_000 * it }).single()
        apart.high!! / apart.low!! shouldBeGreaterThan 1.05
    }

    @Test
    fun `only processes that were alive together make a pair`() {
        val record = kneesRecordOf(mapOf("a" to listOf(2_000.0, 2_000.0), "b" to listOf(1_000.0, 1_000.0)), shape)
        val without = record.copy(trials = record.trials.filterNot { it.stack == "a" && it.number == 2 })
        judgeKnees(without).comparisons.single().blocks shouldBe 1
    }

    @Test
    fun `a target that nothing broke takes at least so much more`() {
        val record = kneesRecordOf(mapOf("a" to listOf(9_000.0), "b" to listOf(1_000.0)), shape, kneeQuestion.copy(
            toPerSecond = 9_000.0,
        ))
        val unbroken = record.copy(trials = record.trials.map { trial ->
            if (trial.stack == "b") return@map trial
            trial.copy(probes = trial.probes.take(8) + listOf("a", "b", "c").map { openProbe(it, 9_000.0, 9_000.0) })
        })
        val judged = judgeKnees(unbroken)
        judged.targets.first().outcome shouldBe KneeOutcome.NEVER_BROKEN
        val only = judged.comparisons.single()
        only.ratio.shouldBeNull()
        only.low shouldBe 9_000 / judged.targets.last().knee!!.high
        only.low.shouldNotBeNull() shouldBeGreaterThan 8.0
        only.high.shouldBeNull()
        only.outcome shouldBe ComparisonOutcome.MORE
    }

    @Test
    fun `a target that met its goals at no rate takes less, and one that says nothing is compared with nothing`() {
        val rates = listOf(10.0, 10.0)
        val record = kneesRecordOf(mapOf("a" to listOf(2_000.0), "b" to listOf(1.0)), shape)
        val never = record.copy(trials = record.trials.map { trial ->
            if (trial.stack == "a") return@map trial
            trial.copy(probes = trial.probes.take(8) + rates.mapIndexed { at, rate -> openProbe("$at", rate, 4e5) })
        })
        judgeKnees(never).targets.last().outcome shouldBe KneeOutcome.NEVER_KEPT
        judgeKnees(never).comparisons.single().let {
            it.outcome shouldBe ComparisonOutcome.MORE
            it.low!! shouldBeGreaterThan 190.0
        }
        fun silenced(trial: Trial) = if (trial.stack == "b") trial.copy(probes = emptyList()) else trial
        val silent = never.copy(trials = never.trials.map(::silenced))
        judgeKnees(silent).comparisons.shouldBeEmpty()
        judgeKnees(silent).comparisonWords() shouldBe listOf("Cannot tell which takes the higher rate, A or B.")
    }

    @Test
    fun `where most processes of a target never broke, the one that did is no knee of it`() {
        val capacities = mapOf("a" to listOf(2_000.0, 2_000.0, 2_000.0), "b" to listOf(1_900.0, 1_900.0, 1_900.0))
        val record = kneesRecordOf(capacities, shape, kneeQuestion.copy(toPerSecond = 9_000.0))
        val mostly = record.copy(trials = record.trials.map { trial ->
            if (trial.stack == "b" || trial.number == 3) return@map trial
            trial.copy(probes = trial.probes.take(8) + listOf("x", "y", "z").map { openProbe(it, 9_000.0, 9_000.0) })
        })
        judgeKnees(mostly).targets.first().outcome shouldBe KneeOutcome.NEVER_BROKEN
        val only = judgeKnees(mostly).comparisons.single()
        only.ratio.shouldBeNull()
        only.low!! shouldBeGreaterThan 4.0
    }

    @Test
    fun `more comparisons need more confidence`() {
        val two = compared("a" to listOf(2_000.0), "b" to listOf(1_000.0)).single()
        val three = compared("a" to listOf(2_000.0), "b" to listOf(1_000.0), "c" to listOf(1_000.0))
        three.size shouldBe 2
        three.first().let { it.high!! / it.low!! } shouldBeGreaterThan two.high!! / two.low!!
    }

    @Test
    fun `the ratio of two posteriors does not depend on the unit`() {
        fun posterior(unit: Double) =
            shape.map { Attempt(it * unit, kept = it <= 1) }.let { KneePosterior.of(it, unit / 100, unit * 100) }
        val equal = posterior(1_000.0).ratioTo(posterior(1_000.0))
        equal.low * equal.high shouldBe (1.0 plusOrMinus 1e-6)
        val tenfold = posterior(10_000.0).ratioTo(posterior(1_000.0))
        tenfold.low / equal.low shouldBe (10.0 plusOrMinus 1e-4)
        tenfold.high / equal.high shouldBe (10.0 plusOrMinus 1e-4)
    }
}
