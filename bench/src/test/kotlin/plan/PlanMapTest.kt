package threadgauge.plan

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import threadgauge.map.DEAR
import threadgauge.map.LOOP
import threadgauge.map.exploredMap
import threadgauge.model.plan.MapQuestion
import threadgauge.model.plan.MapSheet

class PlanMapTest {
    private val question = MapQuestion(
        MapSheet.WAIT, work = listOf(1, 2), users = listOf(2, 4), columnStride = 1, rowStride = 1,
        budgetNanos = 600_000_000_000,
    )
    private val drawn = exploredMap(mapOf("loop" to LOOP, "dear" to DEAR), noise = 0.03, seed = 1, question)

    @Test
    fun `a map that is refined gets another block, whose processes start in the other order`() {
        val plan = refinedMap(drawn, budgetNanos = 90_000_000_000)
        plan.map?.budgetNanos shouldBe 90_000_000_000
        val first = drawn.plan.trials.map { it.stack }
        plan.trials.map { it.stack to it.number } shouldContainExactly
            first.map { it to 1 } + first.reversed().map { it to 2 }
        plan.experiment.trials shouldBe 2
    }

    @Test
    fun `without a budget it is what was left, or a minute`() {
        // All slices are made up at the start of the run, and 1,000 seconds long.
        refinedMap(drawn, budgetNanos = null).map?.budgetNanos shouldBe 60_000_000_000
        val early = drawn.copy(
            trials = drawn.trials.map { trial ->
                trial.copy(slices = trial.slices.map { it.copy(windowMillis = 1e5) })
            },
        )
        refinedMap(early, budgetNanos = null).map?.budgetNanos shouldBe 500_000_000_000
    }

    @Test
    fun `a block that measured nothing is made again`() {
        val nothing = drawn.copy(trials = drawn.trials.map { it.copy(slices = emptyList()) })
        refinedMap(nothing, budgetNanos = null).trials shouldBe drawn.plan.trials
    }
}
