package threadgauge.stats.rounds

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import java.util.Random
import kotlin.math.exp
import kotlin.math.sqrt
import org.junit.jupiter.api.Test
import threadgauge.model.plan.NextStep
import threadgauge.stats.median

class RunPlanningTest {
    private val cost = RunCost(roundSeconds = 4.0, blockSeconds = 64.0)
    private val typical = VarianceComponents(betweenRounds = 0.10, betweenBlocks = 0.04)

    @Test
    fun `the best number of rounds is Kalibera and Jones' optimum`() {
        // √(64 ÷ 4) × 0.10 ÷ 0.04 = 10.
        RunPlanning(listOf(typical), cost).roundsOfBlock() shouldBe 10
        RunPlanning(listOf(typical), cost.copy(blockSeconds = 256.0)).roundsOfBlock() shouldBe 20
        RunPlanning(listOf(typical.copy(betweenBlocks = 0.02)), cost).roundsOfBlock() shouldBe 20
    }

    @Test
    fun `a block has as many rounds as it may where processes do not differ, and as few where nothing else does`() {
        RunPlanning(listOf(VarianceComponents(0.1, 0.0)), cost).roundsOfBlock() shouldBe RunPlanning.MAX_ROUNDS
        RunPlanning(listOf(VarianceComponents(0.0, 0.1)), cost).roundsOfBlock() shouldBe RunPlanning.MIN_ROUNDS
    }

    @Test
    fun `the widest comparison decides`() {
        val narrow = VarianceComponents(0.01, 0.0)
        val both = RunPlanning(listOf(narrow, typical), cost)
        both.roundsOfBlock() shouldBe 10
        both.halfWidth(5, 10) shouldBe RunPlanning(listOf(typical), cost).halfWidth(5, 10)
    }

    @Test
    fun `a half-width is Student's quantile times the standard error`() {
        val planning = RunPlanning(listOf(typical), cost)
        // Of a block 0.04² + 0.10² ÷ 10 = 0.0026; Student's quantile with four degrees of freedom 2.776445.
        planning.halfWidth(5, 10)!! shouldBe (exp(2.776445 * sqrt(0.0026 / 5)) - 1 plusOrMinus 1e-6)
        planning.halfWidth(2, 10).shouldBeNull()
        // Two blocks of ten rounds and three of twenty: (2 · 0.0026 + 3 · 0.0021) ÷ 25.
        val begun = RunPlanning(listOf(typical), cost, measured = listOf(10, 10))
        begun.halfWidth(3, 20)!! shouldBe (exp(2.776445 * sqrt(0.0115) / 5) - 1 plusOrMinus 1e-6)
    }

    @Test
    fun `the narrowest plan fits into the time, and no other that fits is narrower`() {
        val planning = RunPlanning(listOf(typical), cost)
        planning.narrowest(250.0).shouldBeNull()
        for (seconds in listOf(300.0, 600.0, 1_800.0)) withClue(seconds) {
            val plan = planning.narrowest(seconds)!!
            plan.seconds shouldBeLessThanOrEqual seconds
            for (rounds in 5..60) for (blocks in 3..20) if (cost.seconds(blocks, rounds) <= seconds) {
                planning.halfWidth(blocks, rounds)!!.shouldBeBetween(plan.halfWidth, 1.0, 1e-12)
            }
        }
        // Few blocks have a dear quantile, so they have fewer rounds each than those of a long run.
        planning.narrowest(600.0)!!.rounds shouldBeLessThan planning.roundsOfBlock() + 1
    }

    @Test
    fun `the next block has the rounds of the narrowest plan while even a short one fits`() {
        val planning = RunPlanning(listOf(typical), cost, measured = listOf(10, 10, 10))
        planning.nextRounds(seconds = null) shouldBe planning.roundsOfBlock()
        planning.nextRounds(600.0) shouldBe planning.narrowest(600.0)!!.rounds
        // A start takes 64 s and a round 4 s.
        planning.nextRounds(84.0) shouldBe RunPlanning.MIN_ROUNDS
        planning.nextRounds(83.9).shouldBeNull()
        RunPlanning(listOf(typical), cost).nextRounds(84.0) shouldBe RunPlanning.MIN_ROUNDS
        // Only a block without which there is no interval may end later.
        planning.nextRounds(83.9, overrunSeconds = 10.0).shouldBeNull()
        val two = RunPlanning(listOf(typical), cost, measured = listOf(10, 10))
        two.nextRounds(83.9).shouldBeNull()
        two.nextRounds(74.0, overrunSeconds = 10.0) shouldBe RunPlanning.MIN_ROUNDS
        two.nextRounds(73.9, overrunSeconds = 10.0).shouldBeNull()
        two.nextRounds(600.0, overrunSeconds = 60.0) shouldBe two.nextRounds(600.0)
    }

    @Test
    fun `the quickest plan reaches the half-width, and no other that does takes less time`() {
        val planning = RunPlanning(listOf(typical), cost, measured = listOf(10))
        for (within in listOf(0.02, 0.05, 0.1)) withClue(within) {
            val plan = planning.quickest(within)!!
            plan.halfWidth shouldBeLessThanOrEqual within
            for (rounds in 5..60) for (blocks in 1..60) {
                val reached = planning.halfWidth(blocks, rounds).let { it != null && it <= within }
                if (reached) plan.seconds shouldBeLessThanOrEqual cost.seconds(blocks, rounds)
            }
        }
        planning.quickest(0.0001).shouldBeNull()
    }

    @Test
    fun `who wants a half-width gets the rounds that reach it soonest, where there is time for that`() {
        val planning = RunPlanning(listOf(typical), cost, measured = listOf(10))
        val soonest = planning.quickest(0.05)!!
        planning.nextRounds(seconds = null, within = 0.05) shouldBe soonest.rounds
        planning.nextRounds(soonest.seconds, within = 0.05) shouldBe soonest.rounds
        planning.nextRounds(soonest.seconds - 1, within = 0.05) shouldBe planning.nextRounds(soonest.seconds - 1)
        planning.nextRounds(seconds = null, within = 0.0001) shouldBe planning.roundsOfBlock()
    }

    @Test
    fun `the first block has a sixth of the time, with at least five rounds`() {
        RunPlanning.firstBlock(300.0, slices = 2) shouldBe NextStep.Block(rounds = 25, maxSeconds = 50.0)
        RunPlanning.firstBlock(120.0, slices = 12) shouldBe NextStep.Block(rounds = 5, maxSeconds = 20.0)
        RunPlanning.firstBlock(3_600.0, slices = 2).rounds shouldBe RunPlanning.MAX_ROUNDS
    }

    @Test
    fun `the first block of a short run has the room that more blocks leave it, and never less than five rounds`() {
        RunPlanning.firstBlock(105.0, slices = 2, roomSeconds = 14.0) shouldBe
            NextStep.Block(rounds = 7, maxSeconds = 14.0)
        RunPlanning.firstBlock(105.0, slices = 2, roomSeconds = -3.0) shouldBe
            NextStep.Block(rounds = 5, maxSeconds = 10.0)
    }

    @Test
    fun `the predicted half-width is the median of those that come out`() {
        val random = Random(1)
        for ((blocks, rounds) in listOf(3 to 5, 5 to 10, 10 to 20)) withClue("$blocks blocks, $rounds rounds") {
            val seen = List(2_000) {
                pairedRatio(
                    List(blocks) {
                        val block = typical.betweenBlocks * random.nextGaussian()
                        List(rounds) { block + typical.betweenRounds * random.nextGaussian() }
                    },
                )!!.halfWidth()
            }
            val predicted = RunPlanning(listOf(typical), cost).halfWidth(blocks, rounds)!!
            // A standard deviation of few values is mostly too small: its median with two degrees of freedom is 0.83.
            (median(seen) / predicted).shouldBeBetween(0.78, 1.02, 0.0)
        }
    }
}
