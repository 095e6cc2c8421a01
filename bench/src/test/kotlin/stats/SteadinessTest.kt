package threadgauge.stats

import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.property.Arb
import io.kotest.property.PropTestConfig
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.map
import io.kotest.property.checkAll
import java.util.Locale
import java.util.Random
import kotlin.math.exp
import kotlin.math.pow
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import threadgauge.model.plan.CurveShape

class SteadinessTest {
    @Test
    fun `a flat curve is flat, also with a little noise`() {
        curveShapeOf(listOf(100.0, 5_000.0, 5_050.0, 4_980.0, 5_020.0)) shouldBe CurveShape.FLAT
        curveShapeOf(List(4) { 5_000.0 }) shouldBe CurveShape.FLAT
    }

    @Test
    fun `a rising or falling curve is told as such`() {
        curveShapeOf(listOf(100.0, 1_000.0, 2_000.0, 3_000.0)) shouldBe CurveShape.RISING
        curveShapeOf(listOf(5_000.0, 4_500.0, 4_000.0, 3_500.0)) shouldBe CurveShape.FALLING
        curveShapeOf(List(12) { 5_000 * 1.02.pow(it) }) shouldBe CurveShape.RISING
        curveShapeOf(List(12) { 5_000 * 0.98.pow(it) }) shouldBe CurveShape.FALLING
    }

    @Test
    fun `two iterations that are alike by chance do not make a rising curve flat`() {
        curveShapeOf(listOf(1_000.0, 2_000.0, 3_000.0, 3_010.0)) shouldBe CurveShape.RISING
    }

    @Test
    fun `a jump at the end, up or down, is not steady until the new speed has lasted`() {
        curveShapeOf(listOf(5_000.0, 5_000.0, 5_000.0, 5_000.0, 7_000.0)) shouldBe CurveShape.JUMPED
        curveShapeOf(listOf(5_000.0, 5_000.0, 5_000.0, 5_000.0, 4_400.0)) shouldBe CurveShape.JUMPED
        val falling = List(5) { 5_000.0 } + List(3) { 3_000.0 }
        curveShapeOf(falling) shouldNotBe CurveShape.FLAT
        curveShapeOf(falling + 3_000.0) shouldBe CurveShape.FLAT
    }

    @Test
    fun `one disturbed iteration among even ones does no harm`() {
        curveShapeOf(listOf(5_000.0, 5_040.0, 2_000.0, 5_010.0, 4_990.0, 5_020.0)) shouldBe CurveShape.FLAT
    }

    @Test
    fun `too short a curve says nothing, nor one that is all noise, nor a server that answers nothing`() {
        curveShapeOf(emptyList()) shouldBe CurveShape.TOO_SHORT
        curveShapeOf(listOf(5_000.0, 5_000.0, 5_000.0)) shouldBe CurveShape.TOO_SHORT
        curveShapeOf(List(6) { 0.0 }) shouldBe CurveShape.SILENT
        curveShapeOf(listOf(0.0, 0.0, 5_000.0, 5_000.0, 5_000.0, 5_000.0)) shouldBe CurveShape.FLAT
        curveShapeOf(listOf(5_000.0, 1_000.0, 5_000.0, 1_000.0, 5_000.0, 1_000.0, 5_000.0)) shouldBe CurveShape.ERRATIC
    }

    @Test
    fun `the unit of the rates does not matter`() = runBlocking<Unit> {
        checkAll(FIXED, Arb.list(rate, 4..10), Arb.int(1..10_000)) { rates, factor ->
            curveShapeOf(rates.map { it * factor }) shouldBe curveShapeOf(rates)
        }
    }

    @Test
    fun `any curve whose last four iterations each gain more than five per cent is unsteady`() = runBlocking<Unit> {
        checkAll(FIXED, Arb.list(rate, 0..6), Arb.list(Arb.int(1_052..3_000).map { it / 1e3 }, 4..4)) { start, gains ->
            val rates = gains.runningFold((start.lastOrNull() ?: 1.0)) { rate, gain -> rate * gain }
            curveShapeOf(start.dropLast(1) + rates) shouldBe CurveShape.RISING
        }
    }

    /**
     * Steady too soon: while the true rate was still under nine tenths of its end. Bounds lie a little above what is
     * seen.
     */
    @Test
    fun `errors of both kinds are rare, and their rates are printed`() {
        val flat = { _: Int -> 1.0 }
        for ((noise, most) in listOf(0.03 to 0.02, 0.10 to 0.22)) {
            val late =
                share { firstFlat(it, noise, situations = 3, curve = flat).let { first -> first == null || first > 8 } }
            tell("three flat curves, noise $noise, not flat together within 8 iterations", late)
            late shouldBeLessThan most
        }
        for ((noise, bounds) in listOf(
            0.03 to listOf(0.01, 0.01, 0.01, 0.14), 0.10 to listOf(0.01, 0.02, 0.10, 0.80),
        )) {
            listOf(0.7, 1.5, 3.0, 6.0).zip(bounds).forEach { (iterations, most) ->
                val approach = { at: Int -> 1 - 0.9 * exp(-at / iterations) }
                val soon = share {
                    firstFlat(it, noise, curve = approach)?.let { first -> approach(first - 1) < 0.9 } ?: false
                }
                tell(
                    "approach with a time constant of $iterations iterations, noise $noise, called flat below 90 %",
                    soon,
                )
                soon shouldBeLessThan most
            }
        }
        for ((gain, noise, most) in listOf(
            Triple(1.05, 0.01, 0.01), Triple(1.05, 0.03, 0.12), Triple(1.10, 0.03, 0.01),
        )) {
            val soon = share { (firstFlat(it, noise) { at -> gain.pow(at) } ?: 99) <= 8 }
            tell("drift of $gain per iteration, noise $noise, called flat within 8 iterations", soon)
            soon shouldBeLessThan most
        }
    }

    @Test
    fun `an even curve that falls by a third and stays there is flat again within six iterations`() {
        val late = share { random ->
            val rates = List(14) { at -> (if (at < 8) 1.0 else 0.67) * noisy(random, 0.03) }
            (9..10).forEach { curveShapeOf(rates.take(it)) shouldNotBe CurveShape.FLAT }
            (11..14).none { curveShapeOf(rates.take(it)) == CurveShape.FLAT }
        }
        tell("a fall by a third, noise 0.03, not flat again six iterations later", late)
        late shouldBeLessThan 0.05
    }

    private fun share(holds: (Random) -> Boolean): Double {
        val random = Random(1)
        return (1..TRIES).count { holds(random) }.toDouble() / TRIES
    }

    /**
     * Number of iterations, at most twelve, after which as many noisy copies of [curve] as there are [situations] are
     * flat at once.
     */
    private fun firstFlat(random: Random, noise: Double, situations: Int = 1, curve: (Int) -> Double): Int? {
        val rates = List(situations) { List(12) { at -> curve(at) * noisy(random, noise) } }
        return (1..12).firstOrNull { length -> rates.all { curveShapeOf(it.take(length)) == CurveShape.FLAT } }
    }

    private fun noisy(random: Random, sigma: Double) = exp(sigma * random.nextGaussian())

    private fun tell(what: String, share: Double) = println("%5.1f %%  %s".format(Locale.ROOT, share * 100, what))
}

private const val TRIES = 1_000
private val FIXED = PropTestConfig(seed = 1, iterations = 300)
private val rate = Arb.int(1_000..10_000).map { it / 1e3 }
