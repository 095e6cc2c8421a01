package threadgauge.judge.progress

import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeBetween
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlin.math.exp
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Test
import threadgauge.judge.judge
import threadgauge.judge.recordOf
import threadgauge.model.Counts
import threadgauge.model.Record
import threadgauge.model.plan.Goal
import threadgauge.model.plan.GoalEnd
import threadgauge.model.plan.NextStep
import threadgauge.model.plan.Slice
import threadgauge.model.plan.SliceLatency
import threadgauge.model.plan.TypicalCost
import threadgauge.model.profile.Profile

/** What a run that plans itself does after each block. */
class NextBlockTest {
    @Test
    fun `without a goal everything planned is measured`() {
        nextStep(record(blocks = 3, goal = null), 60.seconds) shouldBe NextStep.Block()
    }

    @Test
    fun `the first block takes no more than a sixth of the time`() {
        val step = nextStep(record(blocks = 0, goal = budget(300)), 7.seconds)
        step.shouldBeInstanceOf<NextStep.Block>()
        step.maxSeconds shouldBe 50.0
    }

    @Test
    fun `a run exceeds its time by a tenth at most, and only for the blocks that an interval needs`() {
        // A block of five rounds takes 30 s.
        val two = record(blocks = 2, goal = budget(120))
        nextStep(two, 92.seconds).shouldBeInstanceOf<NextStep.Block>()
        nextStep(two, 103.seconds) shouldBe NextStep.End(GoalEnd.OUT_OF_TIME)
        nextStep(record(blocks = 3, goal = budget(160)), 132.seconds) shouldBe NextStep.End(GoalEnd.OUT_OF_TIME)
    }

    @Test
    fun `the first block of a run that ends as soon as it can is a short one`() {
        val hour = Goal(within = 0.03, budgetNanos = 3_600_000_000_000)
        (nextStep(record(blocks = 0, goal = hour), 7.seconds) as NextStep.Block).rounds shouldBe 10
        nextStep(record(blocks = 0, goal = Goal(within = 0.03)), 7.seconds) shouldBe NextStep.Block(rounds = 10)
        (nextStep(record(blocks = 0, goal = budget(3_600)), 7.seconds) as NextStep.Block).rounds shouldBe 60
        (nextStep(record(blocks = 0, goal = hour.copy(budgetNanos = 36_000_000_000)), 7.seconds) as NextStep.Block)
            .let { it.rounds!!.shouldBeBetween(5, 10); it.maxSeconds shouldBe 6.0 }
    }

    @Test
    fun `another block is measured while it fits into the time, and none after that`() {
        val record = record(blocks = 3, goal = budget(300))
        nextStep(record, elapsed(3)).shouldBeInstanceOf<NextStep.Block>()
        nextStep(record, 295.seconds) shouldBe NextStep.End(GoalEnd.OUT_OF_TIME)
    }

    @Test
    fun `a block has more rounds where rounds differ much and blocks little, and no more than fit`() {
        fun rounds(noise: Double, blockNoise: Double): Int {
            val goal = Goal(within = 0.005)
            val record = record(blocks = 6, goal, ratio = 1.03, noise, blockNoise)
            return (nextStep(record, elapsed(6)) as NextStep.Block).rounds!!
        }
        rounds(noise = 0.15, blockNoise = 0.01) shouldBeGreaterThan rounds(noise = 0.02, blockNoise = 0.03)
        val left = (nextStep(record(blocks = 3, goal = budget(200), noise = 0.15), elapsed(3)) as NextStep.Block)
        (SET_UP + left.rounds!! * ROUND) shouldBeLessThan 200 - elapsed(3).inWholeMilliseconds / 1e3
    }

    @Test
    fun `a run within a half-width ends when all is told, and not on two blocks`() {
        nextStep(record(blocks = 2, goal = Goal(within = 0.03), ratio = 2.0), elapsed(2))
            .shouldBeInstanceOf<NextStep.Block>()
        nextStep(record(blocks = 5, goal = Goal(within = 0.03), ratio = 2.0), elapsed(5)) shouldBe
            NextStep.End(GoalEnd.REACHED)
        nextStep(record(blocks = 5, goal = Goal(within = 0.03), ratio = 1.0, blockNoise = 0.1), elapsed(5))
            .shouldBeInstanceOf<NextStep.Block>()
    }

    @Test
    fun `intervals of a run that could end early are wider than those of one that only fills its time`() {
        fun width(goal: Goal?) = judge(record(blocks = 6, goal = goal, blockNoise = 0.02)).situations.single()
            .comparisons.single().let { it.high!! / it.low!! }
        width(budget(300)) shouldBe width(null)
        width(Goal(within = 0.03)) shouldBeGreaterThan width(null)
    }

    @Test
    fun `how often a run may look follows from its first block alone`() {
        val goal = Goal(within = 0.03, budgetNanos = 300_000_000_000)
        val looks = lastLook(record(blocks = 1, goal = goal))
        // 20 s for a start and five rounds of 2 s each.
        looks.shouldBeBetween(9, 11)
        lastLook(record(blocks = 6, goal = goal, ratio = 3.0, blockNoise = 0.2)) shouldBe looks
    }

    @Test
    fun `profiles of the first block are no part of what a block costs`() {
        val plain = record(blocks = 3, goal = budget(300), noise = 0.15)
        val profiles = listOf(Profile("s", 0.0, 4e3, tookMillis = 6e3, 1, 1.0, cores = 1))
        val trials = plain.trials.map { if (it.number > 1) it else it.copy(profiles = profiles) }
        val profiled = plain.copy(trials = trials)
        val more = 12.seconds
        val later = plain.copy(plan = plain.plan.copy(goal = Goal(budgetNanos = 312_000_000_000)))
        nextStep(later.copy(trials = trials), elapsed(3) + more) shouldBe nextStep(plain, elapsed(3))
        nextStep(profiled, 299.seconds) shouldBe NextStep.End(GoalEnd.OUT_OF_TIME)
    }

    private fun budget(seconds: Int) = Goal(budgetNanos = seconds * 1_000_000_000L)

    private fun elapsed(blocks: Int) =
        TypicalCost.CALIBRATION_SECONDS.seconds + (blocks * (SET_UP + ROUNDS * ROUND) * 1e3).milliseconds

    /**
     * Stacks a and b; a is [ratio] times as fast. Rounds vary by [noise] and blocks by [blockNoise], in a fixed pattern
     * with these standard deviations.
     */
    private fun record(
        blocks: Int,
        goal: Goal?,
        ratio: Double = 1.01,
        noise: Double = 0.05,
        blockNoise: Double = 0.01,
    ): Record {
        val rates = List(maxOf(1, blocks)) { 1_000.0 }
        val record = recordOf(mapOf("a" to rates, "b" to rates))
        val trials = record.trials.filter { it.number <= blocks }.map { trial ->
            val slices = (1..ROUNDS).map { slice(trial.stack, trial.number, it, ratio, noise, blockNoise) }
            trial.copy(slices = slices)
        }
        return record.copy(plan = record.plan.copy(goal = goal), trials = trials)
    }

    private fun slice(stack: String, block: Int, round: Int, ratio: Double, noise: Double, blockNoise: Double): Slice {
        val off = noise * SIGNS[round % SIGNS.size] + blockNoise * SIGNS[block % SIGNS.size]
        val rate = if (stack == "a") 1_000 * ratio * exp(off) else 1_000.0
        val at = ((block - 1) * (SET_UP + ROUNDS * ROUND) + SET_UP + (round - 1) * ROUND) * 1e3
        val answered = (rate * 1e4).toLong()
        return Slice(
            "s", round, if (stack == "a") at else at + ROUND * 500, windowMillis = ROUND * 500,
            Counts(answered, answered, answered, 0, 0), answered, SliceLatency(1.0, 1.0, 1.0), 1.0,
        )
    }

    private companion object {
        const val SET_UP = 20.0
        const val ROUND = 2.0
        const val ROUNDS = 10
        val SIGNS = listOf(1.0, -1.0, 1.0, -1.0, 1.0, -1.0)
    }
}
