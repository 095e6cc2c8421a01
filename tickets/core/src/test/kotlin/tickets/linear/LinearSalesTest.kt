package threadgauge.tickets.linear

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.string.shouldContain
import org.jetbrains.lincheck.LincheckAssertionError
import org.jetbrains.lincheck.datastructures.StressOptions
import org.junit.jupiter.api.Test
import kotlin.reflect.KClass

/**
 * Every answer of a few callers at a time must be one that they could have had one after the other, in an order that agrees with time:
 * Lincheck makes up who asks for what, and searches all orders. The sale has three seats.
 */
class LinearSalesTest {
    @Test
    fun `the batcher answers as if callers came one after the other`() = isLinear(Batched::class)

    @Test
    fun `the gate before the books does so, too`() = isLinear(Gated::class)

    @Test
    fun `a sale that reads, compares and writes is found not to`() {
        shouldThrow<LincheckAssertionError> { isLinear(Naive::class) }.message shouldContain "Invalid execution results"
    }

    private fun isLinear(sale: KClass<*>) = StressOptions().iterations(25).invocationsPerIteration(300).threads(3).actorsPerThread(2)
        .actorsBefore(1).actorsAfter(1).minimizeFailedScenario(false).sequentialSpecification(OneAfterTheOther::class.java).check(sale)
}
