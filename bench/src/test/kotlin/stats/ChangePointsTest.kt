package threadgauge.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import kotlin.math.sqrt
import org.junit.jupiter.api.Test

class ChangePointsTest {
    @Test
    fun `a step is found where it is, with its size and an interval that holds it`() {
        val values = List(10) { 100.0 + it % 3 } + List(6) { 90.0 + it % 3 }
        val found = changePoints(values).single()
        found.at shouldBe 10
        found.ratio shouldBe (91.0 / 101.0 plusOrMinus 0.002)
        (found.ratio in found.interval) shouldBe true
    }

    @Test
    fun `the last two values can be a change, a single one cannot, and a level may come back`() {
        val level = listOf(100.0, 101.0, 99.5, 100.4, 99.8, 100.9, 100.1, 99.6, 100.2)
        changePoints(level + 92.0 + 92.5).map { it.at } shouldContainExactly listOf(9)
        changePoints(level + 92.0).shouldBeEmpty()
        changePoints(level + 92.0 + level).shouldBeEmpty()
        changePoints(level + level.map { it * 1.1 } + level).map { it.at } shouldContainExactly listOf(9, 18)
    }

    @Test
    fun `too few values, equal values, and rounding errors have no change`() {
        changePoints(listOf(100.0, 100.1, 50.0, 50.1)).shouldBeEmpty()
        changePoints(List(20) { 100.0 }).shouldBeEmpty()
        changePoints(List(20) { 100.0 + if (it < 10) 1e-5 else 0.0 }).shouldBeEmpty()
        changePoints(emptyList()).shouldBeEmpty()
    }

    @Test
    fun `a step between equal values is found although nothing varies around it`() {
        changePoints(List(5) { 100.0 } + List(5) { 90.0 }).map { it.at } shouldContainExactly listOf(5)
    }

    /** Of 3,000 series with an error of 5 %, up to 5.8 % are seen in 97 of 100 such tests. */
    @Test
    fun `of series that never change, no more than the permitted error have a change`() {
        for ((name, noise) in NOISES) for (runs in listOf(5, 10, 30)) {
            val random = Random(runs.toLong())
            val wrong = List(DRAWS) { changePoints(List(runs) { exp(0.03 * noise(random)) }).isNotEmpty() }
            withClue("$name, $runs runs") { wrong.count { it } / DRAWS.toDouble() shouldBeLessThanOrEqual 0.058 }
        }
    }

    @Test
    fun `of ten values whose last two are five standard deviations off, nine series in ten are told`() {
        val random = Random(10)
        val told = List(DRAWS) {
            val values = List(10) { exp((if (it < 8) 0.0 else -0.05) + 0.01 * random.nextGaussian()) }
            changePoints(values).any { it.at == 8 }
        }
        told.count { it } / DRAWS.toDouble() shouldBeGreaterThan 0.9
    }

    @Test
    fun `the interval of a step of known place holds it as often as it says`() {
        val random = Random(20)
        val held = List(DRAWS) {
            val values = List(20) { exp((if (it < 10) 0.0 else -0.2) + 0.02 * random.nextGaussian()) }
            val found = changePoints(values).singleOrNull { it.at == 10 }
            found?.let { exp(-0.2) in it.interval }
        }.filterNotNull()
        held.size.toDouble() shouldBeGreaterThan DRAWS * 0.9
        held.count { it } / held.size.toDouble() shouldBe (0.95 plusOrMinus 0.02)
    }

    private companion object {
        const val DRAWS = 3_000

        /** Each with a standard deviation of about 1. */
        val NOISES: Map<String, (Random) -> Double> = mapOf(
            "normal" to { it.nextGaussian() },
            "Student's with five degrees of freedom" to { random ->
                val squares = List(5) { random.nextGaussian() }.sumOf { it * it }
                random.nextGaussian() / sqrt(squares / 5) / sqrt(5.0 / 3)
            },
        )
    }
}
