package threadgauge.wording

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PercentTest {
    @Test
    fun `a measured share has as many digits as mean something, and none vanishes`() {
        listOf(0.0, 1.0, 0.123, 0.0999, 0.0123, 0.002, 0.00012).map { percent(it) } shouldBe
            listOf("0 %", "100 %", "12 %", "10.0 %", "1.2 %", "0.20 %", "0.012 %")
        percent(-0.031) shouldBe "-3.1 %"
        percent(-0.00031) shouldBe "-0.031 %"
    }

    @Test
    fun `a chosen share has no digits that it does not have`() {
        listOf(0.03, 0.001, 0.125, 1.0).map { plainPercent(it) } shouldBe listOf("3 %", "0.1 %", "12.5 %", "100 %")
    }
}
