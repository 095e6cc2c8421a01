package threadgauge.run.measure

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.model.plan.CurveShape
import threadgauge.model.plan.UnsteadyPart
import threadgauge.model.plan.WarmUpIteration

class SteadyStateTest {
    private fun curve(
        rates: List<Double> = List(4) { 5_000.0 },
        lastCompileMillis: Double = 20.0,
        codeBytes: List<Long?> = listOf(10_000_000, 14_000_000, 15_000_000, 15_100_000),
    ) = rates.indices.flatMap { index ->
        val compiled = if (index == rates.lastIndex) lastCompileMillis else 3_000.0
        listOf(
            WarmUpIteration(index + 1, "hello", index * 3e3, rates[index], compiled / 2, codeBytes[index]),
            WarmUpIteration(index + 1, "delay", index * 3e3 + 1e3, 500.0, compiled / 2, codeBytes[index]),
        )
    }

    @Test
    fun `flat rates, a quiet compiler and code that hardly grows are steady, whatever came before`() {
        unsteadyPartsIn(curve(), LOAD_NANOS).shouldBeEmpty()
    }

    @Test
    fun `each of the three conditions is reported by itself, with its value`() {
        val rising = listOf(1_000.0, 2_000.0, 3_000.0, 4_000.0)
        unsteadyPartsIn(curve(rates = rising), LOAD_NANOS) shouldBe listOf(
            UnsteadyPart.RateNotFlat("hello", CurveShape.RISING),
        )
        unsteadyPartsIn(curve(lastCompileMillis = 300.0), LOAD_NANOS) shouldBe listOf(UnsteadyPart.CompilerBusy(0.15))
        val growing = listOf<Long?>(10_000_000, 10_000_000, 10_000_000, 10_200_000)
        unsteadyPartsIn(curve(codeBytes = growing), LOAD_NANOS) shouldBe listOf(
            UnsteadyPart.CodeGrowing(10_200_000.0 / 10_000_000 - 1),
        )
    }

    @Test
    fun `all failing conditions are reported together`() {
        unsteadyPartsIn(
            curve(rates = listOf(5_000.0, 4_000.0, 3_000.0, 2_000.0), lastCompileMillis = 3_000.0), LOAD_NANOS,
        ) shouldBe
            listOf(UnsteadyPart.RateNotFlat("hello", CurveShape.FALLING), UnsteadyPart.CompilerBusy(1.5))
    }

    @Test
    fun `discarded code, or an unknown code size, is no growth`() {
        unsteadyPartsIn(curve(codeBytes = listOf(10_000_000, 14_000_000, 15_000_000, 9_000_000)), LOAD_NANOS)
            .shouldBeEmpty()
        unsteadyPartsIn(curve(codeBytes = List(4) { null }), LOAD_NANOS).shouldBeEmpty()
    }

    @Test
    fun `one cycle is never steady`() {
        unsteadyPartsIn(curve(rates = listOf(5_000.0)), LOAD_NANOS) shouldBe
            listOf("hello", "delay").map { UnsteadyPart.RateNotFlat(it, CurveShape.TOO_SHORT) }
    }
}

private const val LOAD_NANOS = 1_000_000_000L
