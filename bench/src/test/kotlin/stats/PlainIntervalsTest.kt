package threadgauge.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PlainIntervalsTest {
    @Test
    fun `it is Student's, and never below nothing`() {
        // Student's quantile with two degrees of freedom is 4.303; 4.303 ÷ √3 is 2.484.
        val interval = plainInterval(listOf(9.0, 10.0, 11.0)).shouldNotBeNull()
        interval.low shouldBe (10 - 2.484 plusOrMinus 0.001)
        interval.high shouldBe (10 + 2.484 plusOrMinus 0.001)
        plainInterval(listOf(0.0, 1.0, 2.0)).shouldNotBeNull().low shouldBe 0.0
    }

    @Test
    fun `what was never seen in a hundred trials may still be three in a hundred`() {
        largestUnseenShare(100) shouldBe (0.03 plusOrMinus 0.0001)
        largestUnseenShare(1) shouldBe 1.0
    }

    @Test
    fun `equal values have no width, and two values no interval`() {
        plainInterval(listOf(0.0, 0.0, 0.0)) shouldBe Interval(0.0, 0.0)
        plainInterval(listOf(1.0, 2.0)).shouldBeNull()
    }
}
