package threadgauge.load.agent

import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import threadgauge.model.Load

/** Answers that take longer than the load: the input of the doubt `short-window`. */
@Tag("ports")
class SlowAnswersTest : EngineTest() {
    @Test
    fun `no answer counts within the window, and their service times are known`() {
        val result = ProgrammableServer { Thread.sleep(600); answer() }.use { load(it, Load.Rate(50.0, 400 * MILLI)) }
        result.done.answered shouldBe 20
        result.done.answeredInWindow shouldBe 0
        result.done.failures shouldBe emptyMap()
        summary(decode(result.done.serviceTime)).let {
            it.count shouldBe 20
            it.minMicros shouldBeGreaterThan 599_000.0
        }
    }
}
