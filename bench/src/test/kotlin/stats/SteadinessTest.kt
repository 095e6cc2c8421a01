package threadgauge.stats

import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import org.junit.jupiter.api.Test

class SteadinessTest {
    @Test
    fun `a flat curve is flat, also with a little noise`() {
        isFlat(listOf(100.0, 5_000.0, 5_050.0, 4_980.0, 5_020.0)).shouldBeTrue()
    }

    @Test
    fun `a rising, falling or jumping curve is not`() {
        isFlat(listOf(100.0, 1_000.0, 2_000.0, 3_000.0)).shouldBeFalse()
        isFlat(listOf(5_000.0, 4_500.0, 4_000.0, 3_500.0)).shouldBeFalse()
        isFlat(listOf(5_000.0, 5_000.0, 7_000.0, 5_000.0)).shouldBeFalse()
        isFlat(listOf(5_000.0, 5_000.0, 5_000.0, 4_400.0)).shouldBeFalse()
    }

    @Test
    fun `too short a curve says nothing`() {
        isFlat(listOf(5_000.0, 5_000.0)).shouldBeFalse()
        isFlat(emptyList()).shouldBeFalse()
    }

    @Test
    fun `a server that answers nothing is not steady`() {
        isFlat(List(6) { 0.0 }).shouldBeFalse()
    }
}
