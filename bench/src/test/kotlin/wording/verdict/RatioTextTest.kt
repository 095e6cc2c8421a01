package threadgauge.wording.verdict

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.judgement.Comparison
import threadgauge.model.judgement.ComparisonOutcome

class RatioTextTest {
    private fun words(ratio: Double, low: Double? = null, high: Double? = null) =
        ratioText(Comparison("fast", "slow", ratio, low, high, ComparisonOutcome.MORE))

    @Test
    fun `a ratio has as many digits as mean something, and its interval has the same`() {
        words(1.834, 1.459, 12.3) shouldBe "1.83 times (1.46 to 12.30)"
        words(18.34, 9.459, 122.3) shouldBe "18.3 times (9.5 to 122.3)"
        words(1834.5, 912.2, 3500.0) shouldBe "1,835 times (912 to 3,500)"
    }

    @Test
    fun `without an interval the ratio stands alone`() {
        words(213.44) shouldBe "213 times"
    }
}
