package threadgauge.wording.goal

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.LatencyMeasure
import threadgauge.model.SloGoal
import threadgauge.report.exampleGoals

class GoalWordsTest {
    @Test
    fun `each sentence says what was asked, what came out, and why it is not sure`() {
        exampleGoals().map { it.words() } shouldContainExactly listOf(
            "spring-mvc in wait, goal p99<300ms: kept. Measured 210 ms (198 ms to 224 ms).",
            "spring-webflux in wait, goal p99<300ms: broken. Measured 420 ms (401 ms to 440 ms).",
            "ktor-netty in wait, goal p99<300ms: cannot tell. Measured 295 ms (270 ms to 321 ms). " +
                "The interval includes the limit.",
            "spring-mvc in block, goal errors<0.1%: kept. Measured 0 % (0 % to 0.020 %).",
            "spring-mvc in block, goal errors<=0%: broken. Measured 0.012 % (0 % to 0.040 %). " +
                "At least one request failed.",
            "ktor-netty in block, goal throughput>200/s: broken. Measured 40/s. " +
                "Indicative: 2 trials, and an interval needs 3.",
            "spring-webflux in hello, goal p50<500us: cannot tell. Measured 480 µs (470 µs to 490 µs). " +
                "The figures are invalid: the load agent ran at 78 % of its maximum throughput, 148,000/s (limit 50 %).",
            "ktor-netty in hello, goal throughput>200000/s: cannot tell. " +
                "Measured 110,000/s (109,000/s to 111,000/s). " +
                "The cause may be the load agent: the load agent ran at 78 % of its maximum throughput, " +
                "148,000/s (limit 50 %).",
            "ktor-netty in hello, goal p99.9<1s: cannot tell. Measured 90 ms (in every trial). " +
                "Only 412 answers; p99.9 needs 10,000 answers.",
            "spring-mvc-virtual in hello, goal max<2s: cannot tell. Not measured.",
        )
    }

    @Test
    fun `figures have three significant digits and the unit that fits`() {
        val p50 = SloGoal.Latency(LatencyMeasure.P50, 1.0)
        listOf(493.6, 1_654.3, 140_312.0, 2_684_000.0).map(p50::text) shouldBe
            listOf("494 µs", "1.65 ms", "140 ms", "2.68 s")
        listOf(601.7, 18.24).map(SloGoal.Throughput(1.0)::text) shouldBe listOf("602/s", "18.2/s")
    }

    @Test
    fun `a summary counts the verdicts, and leaves out those that none has`() {
        exampleGoals().summary() shouldBe "2 kept, 3 broken, 5 cannot tell"
        exampleGoals().take(1).summary() shouldBe "1 kept"
    }
}
