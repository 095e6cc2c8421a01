package threadgauge.load.agent

import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import org.junit.jupiter.api.Test
import threadgauge.load.agent.AgainWhereDisturbed.Attempt
import threadgauge.load.agent.AgainWhereDisturbed.Companion.CALM_NANOS
import threadgauge.load.agent.AgainWhereDisturbed.Companion.repeated

class AgainWhereDisturbedTest {
    private val failure = AssertionError("wrong")
    private var attempts = 0

    @Test
    fun `a test that fails on a calm machine has failed`() {
        val thrown = shouldThrow<AssertionError> { repeated(failure, CALM_NANOS - 1) { error("never") } }
        thrown shouldBeSameInstanceAs failure
    }

    @Test
    fun `a test that fails on a disturbed machine is repeated, and the repetition counts`() {
        shouldNotThrowAny { repeated(failure, CALM_NANOS) { Attempt(null, 0).also { attempts++ } } }
        attempts shouldBe 1
        val second = AssertionError("wrong again")
        val thrown = shouldThrow<AssertionError> { repeated(failure, CALM_NANOS) { Attempt(second, 0) } }
        thrown shouldBeSameInstanceAs second
    }

    @Test
    fun `a test that always fails has failed, however disturbed the machine`() {
        shouldThrow<AssertionError> {
            repeated(failure, CALM_NANOS) { Attempt(failure, CALM_NANOS).also { attempts++ } }
        }.message shouldBe
            "failed 5 times on a machine that was disturbed, last for 4 ms"
        attempts shouldBe 4
    }
}
