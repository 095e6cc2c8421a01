package threadgauge.map

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class LawTest {
    /** 5,000/s at most, half a millisecond alone, 200 places. */
    private val pool = StackNumbers(cpuSeconds = 2e-4, aloneSeconds = 5e-4, places = 200.0)

    @Test
    fun `users, processor or places hold, whichever allows least`() {
        pool.perSecond(users = 10.0, waitSeconds = 0.1) shouldBe (10 / 0.1005 plusOrMinus 1e-9)
        pool.held(10.0, 0.1) shouldBe HeldBy.USERS
        pool.perSecond(users = 1_000.0, waitSeconds = 0.1) shouldBe (200 / 0.1002 plusOrMinus 1e-9)
        pool.held(1_000.0, 0.1) shouldBe HeldBy.PLACES
        pool.perSecond(users = 1_000.0, waitSeconds = 0.001) shouldBe (5_000.0 plusOrMinus 1e-9)
        pool.held(1_000.0, 0.001) shouldBe HeldBy.PROCESSOR
        // Little's law.
        pool.latencySeconds(1_000.0, 0.1) shouldBe (0.501 plusOrMinus 1e-9)
    }

    @Test
    fun `the numbers are found again in what a stack of these numbers shows`() {
        val found = numbersOf(shown(pool)).shouldNotBeNull()
        found.cpuSeconds shouldBe (pool.cpuSeconds plusOrMinus 1e-12)
        found.aloneSeconds shouldBe (pool.aloneSeconds plusOrMinus 1e-9)
        found.places.shouldNotBeNull() shouldBe (200.0 plusOrMinus 1e-6)
        shareWithin(found, shown(pool), 0.01) shouldBe 1.0
    }

    @Test
    fun `what nothing bounds has no bound, and what was never seen has no numbers`() {
        numbersOf(shown(pool.copy(places = null))).shouldNotBeNull().places.shouldBeNull()
        numbersOf(emptyList()).shouldBeNull()
    }

    @Test
    fun `a prediction that is off counts as off`() {
        val slower = pool.copy(cpuSeconds = 4e-4)
        val share = shareWithin(slower, shown(pool), 0.25)
        // Only where the processor holds is it wrong.
        share shouldBe shown(pool).count { pool.held(it.users, it.waitSeconds) != HeldBy.PROCESSOR }.toDouble() /
            shown(pool).size
    }

    private fun shown(numbers: StackNumbers) = listOf(0.001, 0.01, 0.1, 0.3).flatMap { wait ->
        listOf(1.0, 10.0, 100.0, 1_000.0, 5_000.0).map { users ->
            Observed(users, wait, numbers.perSecond(users, wait), numbers.latencySeconds(users, wait))
        }
    }
}
