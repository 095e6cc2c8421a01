package threadgauge.judge

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlin.math.roundToLong
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.measured
import threadgauge.model.JvmCost
import threadgauge.model.Record
import threadgauge.model.Sample
import threadgauge.model.claim.ClaimCell
import threadgauge.model.claim.ClaimMeasure
import threadgauge.model.judgement.Compared
import threadgauge.model.judgement.ComparisonOutcome
import threadgauge.model.judgement.SituationJudgement

/**
 * `a` serves 1,000 to 2,000 requests per second and allocates 20 kB for each, `b` as many and 21 kB, each a little more
 * or less.
 */
class AllocatedTest {
    private val rates = listOf(1_000.0, 1_400.0, 2_000.0)
    private val record = recordOf(mapOf("a" to rates, "b" to rates)).let { record ->
        record.copy(
            trials = record.trials.map { trial ->
                val kilobytes = (if (trial.stack == "a") 20.0 else 21.0) * (1 + trial.number / 1_000.0)
                trial.copy(samples = trial.samples.map { it.allocating(kilobytes) })
            },
        )
    }

    @Test
    fun `a twentieth more allocated is told where throughput cannot be`() {
        val judged = judge(record).situations.single()
        judged.cells.map { it.allocatedKilobytesPerRequest!!.value } shouldContainExactly listOf(20.04, 21.042)
        judged.comparisons.single().outcome shouldBe ComparisonOutcome.CANNOT_TELL
        judged.allocation.outcome shouldBe ComparisonOutcome.LESS
        judged.allocation.ratio shouldBe (20.0 / 21.0 plusOrMinus 1e-6)
    }

    @Test
    fun `of several replicas the first alone is asked, so nothing is said`() {
        val replicated = record.copy(plan = record.plan.copy(stacks = record.plan.stacks.map { it.copy(replicas = 5) }))
        judge(replicated).situations.single().cells.forEach { it.allocatedKilobytesPerRequest.shouldBeNull() }
        claimed(replicated).shouldBeNull()
        claimed(record).shouldNotBeNull().value shouldBe (20.04 plusOrMinus 1e-9)
    }

    @Test
    fun `where nothing is known or nothing was answered, nothing is said`() {
        fun figureWith(edit: (Sample) -> Sample) = judge(recordOf(mapOf("a" to rates), edit = edit))
            .situations.single().cells.single().allocatedKilobytesPerRequest
        figureWith { it }.shouldBeNull()
        figureWith { it.allocating(null) }.shouldBeNull()
        figureWith { it.allocating(20.0).copy(counts = it.counts.copy(answered = 0)) }.shouldBeNull()
    }

    private fun claimed(record: Record) = measured(record, ClaimMeasure.ALLOCATED, ClaimCell("a", "s"))

    private val SituationJudgement.allocation get() = otherComparisons.single { it.of == Compared.ALLOCATED }

    private fun Sample.allocating(kilobytes: Double?) = copy(
        cost = cost.copy(jvm = JvmCost(0, 0.0, 0.0, kilobytes?.let { (it * 1e3 * counts.answered).roundToLong() })),
    )
}
