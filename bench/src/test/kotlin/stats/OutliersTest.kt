package threadgauge.stats

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import org.junit.jupiter.api.Test

class OutliersTest {
    @Test
    fun `the odd one among alike trials is found, with its distance and its grade`() {
        val found = outliers(listOf(100.0, 101.0, 99.5, 60.0, 100.5)).single()
        found.index shouldBe 3
        found.off shouldBe (-0.40 plusOrMinus 0.005)
        found.grade shouldBe Grade.SEVERE
        outliers(listOf(100.0, 103.0, 97.0, 75.0, 101.0)).single().grade shouldBe Grade.MILD
    }

    @Test
    fun `values that are spread, equal, or too few have no outlier`() {
        outliers(listOf(80.0, 100.0, 120.0, 90.0, 110.0)).shouldBeEmpty()
        outliers(listOf(100.0, 100.0, 100.0, 100.0)).shouldBeEmpty()
        outliers(listOf(100.0, 100.0, 100.0, 100.4)).shouldBeEmpty()
        outliers(listOf(100.0, 100.0, 10.0)).shouldBeEmpty()
        outliers(listOf(100.0, 100.0, 100.0, 0.0)).shouldBeEmpty()
    }

    @Test
    fun `in lists without outliers about one in a hundred is found all the same`() {
        val random = Random(3)
        val found = (1..20_000).count { outliers(List(5) { exp(0.05 * random.nextGaussian()) }).isNotEmpty() }
        (found / 20_000.0).shouldBeBetween(0.006, 0.012, 0.0)
    }
}
