package threadgauge.map

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class LawTest {
    /** 5,000/s at most, half a millisecond alone, 200 places. */
    private val pool = StackNumbers(cpuSeconds = 2e-4, aloneSeconds = 5e-4, places = 200.0)

    /** 5,000/s at most, and 2,500/s with a thousand requests inside. */
    private val growing = StackNumbers(cpuSeconds = 2e-4, aloneSeconds = 5e-4, cpuSecondsPerWaiting = 2e-7)

    @Test
    fun `users, processor or places hold, whichever allows least`() {
        pool.perSecond(users = 10.0, waitSeconds = 0.1) shouldBe (10 / 0.1005 plusOrMinus 1e-9)
        pool.perSecond(users = 1_000.0, waitSeconds = 0.1) shouldBe (200 / 0.1002 plusOrMinus 1e-9)
        pool.perSecond(users = 1_000.0, waitSeconds = 0.001) shouldBe (5_000.0 plusOrMinus 1e-9)
        // Little's law.
        pool.latencySeconds(1_000.0, 0.1) shouldBe (0.501 plusOrMinus 1e-9)
    }

    @Test
    fun `a request costs more, the more are inside, of which there are no more than places`() {
        growing.perSecond(users = 1_000.0, waitSeconds = 0.1) shouldBe (2_500.0 plusOrMinus 1e-9)
        growing.copy(places = 500.0).perSecond(1_000.0, 0.001) shouldBe (1 / 3e-4 plusOrMinus 1e-9)
    }

    @Test
    fun `the numbers are found again in what a stack of these numbers shows`() {
        for (numbers in listOf(pool, growing)) for (knowsCpu in listOf(true, numbers.cpuSecondsPerWaiting > 0)) {
            val found = numbersOf(shown(numbers, knowsCpu)).shouldNotBeNull()
            found.cpuSeconds shouldBe (numbers.cpuSeconds plusOrMinus 1e-12)
            found.cpuSecondsPerWaiting shouldBe (numbers.cpuSecondsPerWaiting plusOrMinus 1e-15)
            found.aloneSeconds shouldBe (numbers.aloneSeconds plusOrMinus 1e-9)
            (found.places ?: 0.0) shouldBe ((numbers.places ?: 0.0) plusOrMinus 1e-6)
            predictedWithin(shown(numbers, knowsCpu), 0.01) shouldBe shown(numbers, knowsCpu).size
        }
    }

    @Test
    fun `without CPU times the fastest place says what a request costs`() {
        numbersOf(shown(pool, knowsCpu = false)).shouldNotBeNull().cpuSeconds shouldBe (2e-4 plusOrMinus 1e-12)
    }

    @Test
    fun `a single fast place does not say what a request costs`() {
        val lucky = shown(pool) + Observed(5_000.0, 0.001, 9_000.0, 0.5, cores = 1.0)
        numbersOf(lucky).shouldNotBeNull().cpuSeconds shouldBe (2e-4 plusOrMinus 1e-12)
    }

    @Test
    fun `what nothing bounds has no bound, and what was never seen has no numbers`() {
        numbersOf(shown(pool.copy(places = null))).shouldNotBeNull().places.shouldBeNull()
        numbersOf(emptyList()).shouldBeNull()
    }

    @Test
    fun `a place that does not keep the law is not predicted`() {
        val seen = shown(pool)
        val parted = seen.map {
            if (it.waitSeconds != 0.3 || it.users != 100.0) it
            else Observed(it.users, it.waitSeconds, it.perSecond / 2, 0.6, it.cores)
        }
        predictedWithin(parted, 0.25) shouldBe seen.size - 1
    }

    private fun shown(numbers: StackNumbers, knowsCpu: Boolean = true) = listOf(0.001, 0.01, 0.1, 0.3).flatMap { wait ->
        listOf(1.0, 10.0, 100.0, 1_000.0, 5_000.0).map { users ->
            val rate = numbers.perSecond(users, wait)
            val cpu = numbers.cpuSeconds + numbers.cpuSecondsPerWaiting * minOf(users, numbers.places ?: users)
            Observed(users, wait, rate, numbers.latencySeconds(users, wait), (rate * cpu).takeIf { knowsCpu })
        }
    }
}
