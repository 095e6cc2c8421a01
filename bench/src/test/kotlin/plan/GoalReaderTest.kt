package threadgauge.plan

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.plan.Goal

class GoalReaderTest {
    @Test
    fun `what no run can reach is refused with the least that it can, and why`() {
        val mistakes = shouldThrow<ExperimentMistakes> { readGoal("0.1%", "10s") }.mistakes
        mistakes.map { it.problem } shouldBe listOf("\"0.1%\" is less than 0.5%", "\"10s\" is less than 1m")
        mistakes[0].remedy shouldContain "Give at least 0.5%: fresh processes of one server differ by 1 to 2 %"
        mistakes[1].remedy shouldContain "Give at least 1m: an interval needs three blocks"
    }

    @Test
    fun `all mistakes at once, and the least of both is allowed`() {
        shouldThrow<ExperimentMistakes> { readGoal("51%", "25h", listOf("--trials")) }.mistakes shouldHaveSize 3
        readGoal("0.5%", "1m") shouldBe Goal(0.005, 60_000_000_000)
        readGoal(null, null) shouldBe null
    }
}
