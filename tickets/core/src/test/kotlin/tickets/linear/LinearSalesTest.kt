package threadgauge.tickets.linear

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.string.shouldContain
import kotlin.reflect.KClass
import org.jetbrains.lincheck.LincheckAssertionError
import org.jetbrains.lincheck.datastructures.StressOptions
import org.junit.jupiter.api.Test

/**
 * Checks linearizability: the answers of a few concurrent clients must be possible in some sequential order that agrees
 * with real time. Lincheck generates the requests and searches all orders. The sale has three seats.
 */
class LinearSalesTest {
    @Test
    fun `the batch writer is linearizable`() = isLinear(Batched::class)

    @Test
    fun `the gate before the ledger is linearizable`() = isLinear(Gated::class)

    @Test
    fun `the naive sale is detected as not linearizable`() {
        shouldThrow<LincheckAssertionError> { isLinear(Naive::class) }.message shouldContain "Invalid execution results"
    }

    private fun isLinear(sale: KClass<*>) = StressOptions()
        .iterations(25).invocationsPerIteration(300)
        .threads(3).actorsPerThread(2).actorsBefore(1).actorsAfter(1)
        .minimizeFailedScenario(false)
        .sequentialSpecification(SequentialSale::class.java)
        .check(sale)
}
