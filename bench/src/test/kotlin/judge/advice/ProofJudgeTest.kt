package threadgauge.judge.advice

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.experiment.change.shippedChanges
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Record
import threadgauge.model.Trial
import threadgauge.model.TrialState
import threadgauge.model.advice.AdviceQuestion
import threadgauge.model.advice.Operation
import threadgauge.model.advice.Prediction
import threadgauge.model.advice.Proof
import threadgauge.model.advice.Range

class ProofJudgeTest {
    @Test
    fun `a prediction is right within 20 percent of the measured factor, whatever the throughput of the base is`() {
        // The base serves 490/s, and not the 400/s that the prediction began with.
        val proofs = judge(record("pool" to 2.0, "heap" to 1.0)).proofs
        val pool = proofs.single { it.proof.stack == "pool" }
        pool.ratio.shouldNotBeNull().value shouldBe (1.9 plusOrMinus 1e-6)
        pool.ratio!!.low.shouldNotBeNull()
        pool.measured.shouldNotBeNull().value shouldBe 931.0
        pool.isWithin shouldBe true
        proofs.single { it.proof.stack == "heap" }.isWithin shouldBe true
        judge(record("pool" to 2.5, "heap" to 1.3)).proofs.map { it.isWithin } shouldContainExactly listOf(false, false)
    }

    @Test
    fun `a best case is wrong only where more was measured`() {
        fun isWithin(predicted: Double) =
            judge(record("pool" to predicted, "heap" to 1.0, isAtMost = true)).proofs.first().isWithin
        isWithin(2.5) shouldBe true
        isWithin(1.5) shouldBe false
    }

    @Test
    fun `of code that was not compiled, what was measured is between the least and the most`() {
        fun isWithin(least: Double, most: Double): Boolean? {
            val record = record("pool" to least, "heap" to 1.0)
            val advice = record.plan.advice!!
            val open = advice.proofs.first().let {
                val range = it.prediction.perSecond.copy(high = 400 * most)
                it.copy(prediction = it.prediction.copy(perSecond = range, isAtLeast = true))
            }
            val changed = advice.copy(proofs = listOf(open) + advice.proofs.drop(1))
            return judge(record.copy(plan = record.plan.copy(advice = changed))).proofs.first().isWithin
        }
        // The pool brings 1.9 times as much.
        isWithin(1.2, 4.0) shouldBe true
        isWithin(2.3, 4.0) shouldBe true
        isWithin(2.5, 4.0) shouldBe false
        isWithin(1.2, 1.6) shouldBe true
        isWithin(1.2, 1.5) shouldBe false
    }

    @Test
    fun `a change that never started is not measured, and a run without advice has no proofs`() {
        val record = record("pool" to 2.0, "heap" to 1.0)
        fun failed(trial: Trial) = Trial(trial.stack, trial.number, TrialState.FAILED, command = listOf("x"), log = "")
        val failed = record.copy(trials = record.trials.map { if (it.stack == "heap") failed(it) else it })
        val heap = judge(failed).proofs.single { it.proof.stack == "heap" }
        heap.measured.shouldBeNull()
        heap.isWithin.shouldBeNull()
        judge(record.copy(plan = record.plan.copy(advice = null))).proofs.shouldBeEmpty()
    }

    /** The pool brings 1.9 times as much, and the heap nothing. */
    private fun record(vararg predicted: Pair<String, Double>, isAtMost: Boolean = false): Record {
        val plain = recordOf(
            mapOf(
                "base" to listOf(480.0, 490.0, 500.0), "pool" to listOf(912.0, 931.0, 950.0),
                "heap" to listOf(479.0, 492.0, 501.0),
            ),
        )
        val proofs = predicted.map { (stack, ratio) ->
            val change = if (stack == "pool") "hikari-pool" else "larger-heap"
            val now = Operation(400.0, 100_000.0)
            val prediction = Prediction(now, Range(400.0, 400 * ratio, 400 * ratio), isAtMost = isAtMost)
            Proof(stack, "base", "s", change, "x", prediction)
        }
        val experiment = plain.plan.experiment.copy(baselines = mapOf("pool" to "base", "heap" to "base"))
        return plain.copy(
            plan = plain.plan.copy(experiment = experiment, advice = AdviceQuestion(shippedChanges(), proofs)),
        )
    }
}
