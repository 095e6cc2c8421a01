package threadgauge.report.history

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.ints.shouldBeBetween
import kotlin.math.pow
import kotlin.random.Random
import org.junit.jupiter.api.Test

class HistoryScaleTest {
    @Test
    fun `the values at the axis are round`() {
        HistoryScale(187.0, 199.0, 0.03, 9).ticks shouldContainExactly listOf(190.0, 200.0)
        HistoryScale(3.0, 4_000.0, 0.03, 9).ticks shouldContainExactly listOf(10.0, 100.0, 1_000.0)
        HistoryScale(1.0, 2.0e6, 0.03, 9).ticks shouldContainExactly listOf(1.0, 1_000.0, 1.0e6)
    }

    @Test
    fun `whatever the values, one to three are at the axis, from below and within its ends`() {
        val random = Random(1)
        repeat(2_000) {
            val least = 10.0.pow(random.nextDouble(-3.0, 7.0))
            val most = least * 10.0.pow(random.nextDouble(0.0, if (it % 2 == 0) 0.05 else 5.0))
            val scale = HistoryScale(least, most, listOf(0.01, 0.03, 0.1).random(random), 9)
            withClue("$least to $most: ${scale.ticks}") {
                scale.ticks.size.shouldBeBetween(1, 3)
                scale.ticks.shouldBeSorted()
                scale.ticks.forEach { scale.y(it).removeSuffix("%").toDouble().shouldBeBetween(8.0, 92.0, 0.01) }
            }
        }
    }
}
