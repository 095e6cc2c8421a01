package threadgauge.judge.progress

import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.time.Duration.Companion.minutes
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.WarmUpRule
import threadgauge.model.doubt.DoubtId
import threadgauge.model.plan.Goal
import threadgauge.model.plan.GoalEnd
import threadgauge.model.plan.Plan
import threadgauge.wording.doubt.words

class LeastBudgetTest {
    private val record = recordOf(mapOf("a" to listOf(1_000.0), "b" to listOf(1_100.0)))

    @Test
    fun `a time that is too short for three blocks is known before it is spent`() {
        tooShortFor(planOf(budgetMinutes = 1)).shouldNotBeNull() shouldBeGreaterThan 1.minutes
        tooShortFor(planOf(budgetMinutes = 5)).shouldBeNull()
        tooShortFor(record.plan).shouldBeNull()
    }

    @Test
    fun `services of the user's own start sooner than those with a contract to check`() {
        val shipped = planOf(budgetMinutes = 1)
        val own = shipped.copy(stacks = shipped.stacks.map { it.copy(keepsContract = false) })
        val needed = listOf(shipped, own).map { tooShortFor(it).shouldNotBeNull() }
        needed[0] shouldBeGreaterThan needed[1]
    }

    @Test
    fun `a run that had too little time says how much it needs`() {
        val slow = record.copy(
            plan = planOf(1), goalEnd = GoalEnd.OUT_OF_TIME,
            trials = record.trials.map { it.copy(samples = it.samples.map { s -> s.copy(atMillis = 50_000.0) }) },
        )
        neededFor(slow).shouldNotBeNull().inWholeSeconds shouldBe 165
        judge(slow).doubts.single { it.id == DoubtId.INDICATIVE }.facts.words().remedy shouldContain "give --budget 3m"
        neededFor(slow.copy(goalEnd = null)).shouldBeNull()
        judge(record).doubts.single { it.id == DoubtId.INDICATIVE }.facts.words().remedy shouldContain "--trials 3"
    }

    private fun planOf(budgetMinutes: Int): Plan = record.plan.run {
        val warmUp = WarmUpRule(budgetNanos = 3_000_000_000)
        val goal = Goal(budgetNanos = budgetMinutes.minutes.inWholeNanoseconds)
        copy(goal = goal, experiment = experiment.copy(warmUp = warmUp))
    }
}
