package threadgauge.judge.doubt

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.judge.claim.recordOf
import threadgauge.judge.recordOf
import threadgauge.model.Load
import threadgauge.model.doubt.DoubtId

class SentLateTest {
    @Test
    fun `requests that leave late are doubted where they were meant to leave by a schedule`() {
        isDoubted(Load.Rate(100.0, 5_000_000_000)) shouldBe true
        isDoubted(Load.Poisson(100.0, 5_000_000_000)) shouldBe true
        isDoubted(Load.Steps(listOf(Load.Rate(100.0, 5_000_000_000)))) shouldBe true
    }

    @Test
    fun `users and bursts leave when they can`() {
        isDoubted(Load.Users(5, 5_000_000_000)) shouldBe false
        isDoubted(Load.Burst(5)) shouldBe false
        isDoubted(Load.Steps(listOf(Load.Rate(100.0, 5_000_000_000), Load.Burst(5)))) shouldBe false
    }

    private fun isDoubted(load: Load): Boolean {
        val record =
            recordOf(mapOf("a" to listOf(100.0))) { it.copy(sendDelay = it.sendDelay.copy(p99Micros = 90_000.0)) }
        val situation = record.plan.experiment.situations.single().copy(load = load)
        val trial = record.trials.single()
        val evidence = Evidence(situation, trial, trial.samples.single(), record.environment)
        val rule = agentDoubts.filterIsInstance<SampleRule>().single { it.id == DoubtId.SENT_LATE }
        return rule.examine(evidence) != null
    }
}
