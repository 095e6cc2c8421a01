package threadgauge.wording.knee

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.LatencyMeasure
import threadgauge.model.judgement.ProbeNote
import threadgauge.model.judgement.ProbeReason

class ProbeWordsTest {
    @Test
    fun `a reason names the figure and the limit`() {
        ProbeReason.GoalBroken(LatencyMeasure.P999, 1_250_000.0, 900.0).words() shouldBe "p99.9 1.25 s (limit 900 µs)"
        ProbeReason.TooManyErrors(0.002, max = 0.001).words() shouldBe "0.20 % of the requests failed (limit 0.1 %)"
        ProbeReason.NotSent(0.98).words() shouldBe "only 98 % of the requests were sent in time (99 % needed)"
    }

    @Test
    fun `a queue that grows is told with its outlook, unless the limit is passed already`() {
        val queue = ProbeReason.GrowingQueue(5_000.0, 41_000.0, growthMicrosPerSecond = 4_000.0, maxMicros = 100_000.0)
        queue.words() shouldBe "the queue grew: p50 rose from 5.0 ms to 41.0 ms and would exceed 100 ms within 60 s"
        queue.copy(lastMicros = 247_000.0).words() shouldBe
            "the queue grew: p50 rose from 5.0 ms to 247 ms (limit 100 ms)"
    }

    @Test
    fun `reasons that speak of the load agent name it`() {
        ProbeReason.AgentFull(0.8).words() shouldBe "the load agent ran at 80 % of its maximum throughput (limit 70 %)"
        ProbeReason.AgentBusy(0.98).words() shouldBe
            "the load agent's event loops were busy 98 % of the time (limit 90 %)"
        ProbeReason.AgentLate(maxDelayMicros = 5_000.0, loopLagMicros = 50.0).words() shouldBe
            "the load agent sent requests up to 5.0 ms late (its event loop was delayed by 50 µs); " +
            "counted from sending, latency meets the goals"
    }

    @Test
    fun `notes say what makes the outcome less sure`() {
        ProbeNote.FewAnswers(LatencyMeasure.P99, 200, needed = 1_000, longestTaken = false).words() shouldBe
            "only 200 answers for p99 (1,000 needed)"
        ProbeNote.FewAnswers(LatencyMeasure.P999, 1, needed = 10_000, longestTaken = true).words() shouldBe
            "only 1 answer for p99.9 (10,000 needed), so the maximum latency was used instead"
        ProbeNote.AgentNearLimit(0.6).words() shouldBe
            "the load agent ran at 60 % of its maximum throughput, so latency may include its own queueing"
        ProbeNote.StolenTime(0.05).words() shouldBe "the hypervisor took 5.0 % of the CPU time (limit 2 %)"
        ProbeNote.NotRecovered.words() shouldBe "latency did not return to normal within the recovery time"
    }
}
