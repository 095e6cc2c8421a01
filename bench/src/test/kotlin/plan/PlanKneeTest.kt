package threadgauge.plan

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import threadgauge.experiment.stack.StackCatalogue
import threadgauge.experiment.yaml.ExperimentMistakes
import threadgauge.model.plan.Plan
import threadgauge.plan.command.KneeOrder
import threadgauge.plan.command.TryOrder
import threadgauge.plan.command.readKnee

class PlanKneeTest {
    private fun plan(vararg targets: String, names: List<String?> = emptyList(), trials: String? = null): Plan {
        val order = KneeOrder(TryOrder(targets.toList(), names), trials = trials)
        return readKnee(order, StackCatalogue(emptyList(), emptyList()))
    }

    @Test
    fun `one target is searched by itself`() {
        val plan = plan("http://127.0.0.1:8080/", names = listOf("shop"))
        plan.isSideBySide shouldBe false
        plan.blocks shouldHaveSize 1
        plan.experiment.name shouldBe "knee-shop"
        plan.experiment.question shouldContain "Up to which rate does shop meet p99<100ms"
    }

    @Test
    fun `several targets are alive side by side in each block, in an order drawn anew`() {
        val plan = plan(
            "http://127.0.0.1:8080/", "http://127.0.0.1:8081/", "http://127.0.0.1:8082/", names = listOf("a", "b", "c"),
            trials = "8",
        )
        plan.isSideBySide shouldBe true
        plan.blocks shouldHaveSize 8
        plan.blocks.forEach { block -> block.map { it.stack } shouldContainExactlyInAnyOrder listOf("a", "b", "c") }
        (plan.blocks.map { block -> block.map { it.stack } }.distinct().size > 1) shouldBe true
        plan.stacks.map { it.name } shouldBe listOf("a", "b", "c")
        plan.experiment.name shouldBe "knee-a-vs-b-vs-c"
        plan.experiment.question shouldContain "up to the highest rate: a, b or c?"
    }

    @Test
    fun `what is wrong with any target is told at once`() {
        val wrong = shouldThrow<ExperimentMistakes> { plan("no-such-thing", "neither-this") }
        wrong.message!! shouldContain "no-such-thing"
        wrong.message!! shouldContain "neither-this"
    }
}
