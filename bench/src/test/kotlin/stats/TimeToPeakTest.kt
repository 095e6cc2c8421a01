package threadgauge.stats

import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.plan.WarmUp
import threadgauge.model.plan.WarmUpIteration

class TimeToPeakTest {
    private val warmUp = WarmUp(
        iterations = listOf(100.0, 500.0, 940.0, 960.0, 1_000.0, 1_010.0, 990.0).flatMapIndexed { index, rate ->
            listOf(
                WarmUpIteration(index + 1, "hello", index * 3_000.0, rate, 0.0),
                WarmUpIteration(index + 1, "delay", index * 3_000.0 + 1_000, 50.0, 0.0),
            )
        },
        steady = true,
        reason = "",
        millis = 21_000.0,
    )

    @Test
    fun `the peak is reached at the end of the first iteration with 95 per cent of the median of the last four`() {
        timeToPeakMillis(warmUp, "hello", stretchMillis = 1_000.0) shouldBe 10_000.0
        timeToPeakMillis(warmUp, "hello", stretchMillis = 1_000.0, share = 0.5) shouldBe 4_000.0
    }

    @Test
    fun `a curve that was flat from the start has its peak at the end of its first iteration`() {
        timeToPeakMillis(warmUp, "delay", stretchMillis = 1_000.0) shouldBe 2_000.0
    }

    @Test
    fun `where the warm-up was never steady, or knows no such situation, there is none`() {
        timeToPeakMillis(warmUp.copy(steady = false), "hello", 1_000.0).shouldBeNull()
        timeToPeakMillis(warmUp, "other", 1_000.0).shouldBeNull()
        val silent = warmUp.copy(iterations = warmUp.iterations.map { it.copy(answeredPerSecond = 0.0) })
        timeToPeakMillis(silent, "hello", 1_000.0).shouldBeNull()
    }
}
