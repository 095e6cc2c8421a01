package threadgauge.plan

import io.kotest.matchers.shouldBe
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import org.junit.jupiter.api.Test
import threadgauge.model.Auditor
import threadgauge.model.ConcurrencyModel
import threadgauge.model.Experiment
import threadgauge.model.Load
import threadgauge.model.Situation
import threadgauge.model.Stack
import threadgauge.model.Think
import threadgauge.model.plan.Plan
import threadgauge.model.plan.PlannedTrial
import threadgauge.model.plan.RoundsRule
import threadgauge.model.plan.TypicalCost
import threadgauge.model.request.Request

class EstimateTest {
    @Test
    fun `a load with a length takes it`() {
        above(Load.Users(5, 20_000_000_000, Think(1_000_000_000), 5_000_000_000)) shouldBe 20.seconds
        above(Load.Poisson(5.0, 20_000_000_000)) shouldBe 20.seconds
        above(
            Load.Steps(listOf(Load.Rate(5.0, 20_000_000_000), Load.Burst(5), Load.Ramp(0.0, 5.0, 4_000_000_000))),
        ) shouldBe 24.seconds
    }

    @Test
    fun `a load without one takes some seconds, or as long as its users pause`() {
        above(Load.Burst(1)) shouldBe 5.seconds
        above(Load.Loops(5, 10)) shouldBe 5.seconds
        above(Load.Loops(5, 10, Think(1_000_000_000, 3_000_000_000), rampInNanos = 7_000_000_000)) shouldBe 27.seconds
    }

    @Test
    fun `only what is left counts`() {
        val ten = List(10) { number -> PlannedTrial("c", number + 1, listOf("d")) }
        val plan = planOf(Load.Burst(1), "c" to 1).copy(trials = ten)
        val perTurn = Estimate(plan, plan.trials.take(4)).whole - Estimate(plan, plan.trials.take(3)).whole
        Estimate(plan).whole - Estimate(plan, plan.trials.take(3)).whole shouldBe perTurn * 7
        Estimate(plan, plan.trials.take(3)).left shouldBe perTurn * 3
    }

    @Test
    fun `what a stack took is what it will take, and others take as much longer than planned`() {
        val trials = listOf("c", "other", "c", "other").map { PlannedTrial(it, 1, listOf("d")) }
        val plan = planOf(Load.Burst(1), "c" to 1, "other" to 1).copy(trials = trials)
        val planned = Estimate(plan).left / 4
        val estimate = Estimate(plan)
        estimate.took(listOf(plan.trials[0]), planned * 3)
        estimate.left shouldBe planned * 3 * 3
        estimate.took(listOf(plan.trials[1]), planned)
        estimate.left shouldBe planned * 4
    }

    @Test
    fun `stacks that are measured together are estimated together`() {
        val trials = (1..3).flatMap { number -> listOf("c", "other").map { PlannedTrial(it, number, listOf("d")) } }
        val plan = planOf(Load.Burst(1), "c" to 1, "other" to 1).copy(trials = trials, rounds = RoundsRule())
        val estimate = Estimate(plan)
        val planned = estimate.left / 6
        estimate.took(trials.take(2), planned * 5)
        estimate.left shouldBe planned * 10
    }

    @Test
    fun `each slice of a round begins with a load that does not count`() {
        val plan = planOf(Load.Users(5, 2_000_000_000), "c" to 1)
        val inRounds = Estimate(plan.copy(rounds = RoundsRule())).whole - Estimate(plan).whole
        // Four slices of half a second.
        inRounds shouldBe (0.1.seconds + TypicalCost.SLICE_OVERHEAD_SECONDS.seconds) * 4
    }

    @Test
    fun `each service of a sale adds what its rehearsal takes`() {
        fun of(replicas: Int) = Estimate(planOf(Load.Burst(1), "c" to replicas, sells = true)).whole
        of(5) - of(1) shouldBe (of(2) - of(1)) * 4
        (of(1) > whole(Load.Burst(1))) shouldBe true
    }

    @Test
    fun `profiles are in the estimate of the first block, and not in what its duration says of others`() {
        val trials = (1..3).map { PlannedTrial("c", it, listOf("d")) }
        val without = planOf(Load.Rate(5.0, 20_000_000_000), "c" to 1).copy(trials = trials)
        val with = without.copy(experiment = without.experiment.copy(causes = true))
        // Three seconds before 4 s, what starting and reading takes, and the rehearsal.
        val more = 7.seconds + (TypicalCost.PROFILE_OVERHEAD_SECONDS + TypicalCost.REHEARSAL_SECONDS).seconds
        Estimate(with).whole - Estimate(without).whole shouldBe more
        Estimate(with).left - Estimate(without).left shouldBe more
        val estimate = Estimate(with)
        estimate.took(listOf(trials[0]), 60.seconds, profiled = 10.seconds)
        estimate.left shouldBe 100.seconds
        Estimate(with, trials.drop(1)).left shouldBe Estimate(without, trials.drop(1)).left
    }

    /** How much longer than with a load of one second. */
    private fun above(load: Load): Duration = whole(load) - whole(Load.Rate(1.0, 1_000_000_000)) + 1.seconds

    private fun whole(load: Load): Duration = Estimate(planOf(load)).whole

    /** With [stacks] of so many replicas each. */
    private fun planOf(load: Load, vararg stacks: Pair<String, Int>, sells: Boolean = false): Plan {
        val situations = listOf(Situation("d", "e", Request(path = "/"), load))
        val experiment = Experiment("a", "b?", listOf("c"), situations, causes = false)
        val auditor = Auditor(listOf("audit"), ".", null).takeIf { sells }
        val servers = stacks.map { (name, replicas) ->
            Stack(
                name,
                name,
                ConcurrencyModel.PLATFORM_THREADS,
                "as shipped",
                listOf("serve"),
                ".",
                auditor = auditor,
                replicas = replicas,
            )
        }
        return Plan(experiment, servers, listOf(PlannedTrial("c", 1, listOf("d"))), seed = 1, quick = true)
    }
}
